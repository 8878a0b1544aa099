/*===- NoEntryPlugin.c - a library that is no plugin --------------*- C -*-===*\
|*                                                                            *|
|* Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

int autosage_no_entry_plugin(void) { return 0; }
