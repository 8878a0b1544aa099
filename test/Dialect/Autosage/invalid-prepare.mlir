// The constraints of autosage.prepare.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @prepare_c1_layout(%p: !autosage.pattern<?x?, i32, i32, tasks<64, stored>>) {
  // expected-error @below {{'autosage.prepare' op expects a pattern of layout csr or #autosage.layout<tasks<32, stored>>, got '!autosage.pattern<?x?, i32, i32, tasks<64, stored>>'}}
  %0 = autosage.prepare %p layout<tasks<32, stored>> : !autosage.pattern<?x?, i32, i32, tasks<64, stored>>
  return
}

// -----

func.func @prepare_c1_order(%p: !autosage.pattern<?x?, i32, i32, tasks<64, stored>>) {
  // expected-error @below {{'autosage.prepare' op expects a pattern of layout csr or #autosage.layout<tasks<64, length>>, got '!autosage.pattern<?x?, i32, i32, tasks<64, stored>>'}}
  %0 = autosage.prepare %p layout<tasks<64, length>> : !autosage.pattern<?x?, i32, i32, tasks<64, stored>>
  return
}

// -----

func.func @prepare_c1_back(%p: !autosage.pattern<?x?, i32, i32, tasks<64, stored>>) {
  // expected-error @below {{'autosage.prepare' op expects a pattern of layout csr or #autosage.layout<csr>, got '!autosage.pattern<?x?, i32, i32, tasks<64, stored>>'}}
  %0 = autosage.prepare %p layout<csr> : !autosage.pattern<?x?, i32, i32, tasks<64, stored>>
  return
}
