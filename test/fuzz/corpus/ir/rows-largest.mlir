func.func private @f(!autosage.pattern<9223372036854775807x?, i32, i32>)
