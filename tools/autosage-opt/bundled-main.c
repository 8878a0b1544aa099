/*===- bundled-main.c - autosage-opt of the bundle ----------------*- C -*-===*\
|*                                                                            *|
|* Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

int autosage_opt_main(int argc, char **argv);

int main(int argc, char **argv) { return autosage_opt_main(argc, argv); }
