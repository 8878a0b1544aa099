//===- Fiber.cpp - stacks of their own within one thread ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On x86-64 a switch is a dozen instructions; ucontext, which other CPUs use,
// makes a system call for the signal mask each time.
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

using namespace autosage::simt;

#ifdef AUTOSAGE_SIMT_TELLS_TSAN
#include <sanitizer/tsan_interface.h>

SanitizerFiber::~SanitizerFiber() {
  if (owned)
    __tsan_destroy_fiber(fiber);
}

void SanitizerFiber::create() {
  if (owned)
    __tsan_destroy_fiber(fiber);
  fiber = __tsan_create_fiber(0);
  owned = true;
}

static void tellOfStart(Context &context) { context.sanitizer.create(); }
// No function: its return would count in the other fiber.
#define TELL_OF_SWITCH(from, to)                                               \
  if (!(from).sanitizer.fiber)                                                 \
    (from).sanitizer.fiber = __tsan_get_current_fiber();                       \
  __tsan_switch_to_fiber((to).sanitizer.fiber, 0)
#else
static void tellOfStart(Context &) {}
#define TELL_OF_SWITCH(from, to)
#endif

#ifdef AUTOSAGE_SIMT_USES_UCONTEXT

void autosage::simt::switchContext(Context &from, Context &to) {
  TELL_OF_SWITCH(from, to);
  swapcontext(&from.context, &to.context);
}

void autosage::simt::prepareContext(Context &context, char *stack,
                                    void (*entry)()) {
  tellOfStart(context);
  getcontext(&context.context);
  context.context.uc_stack.ss_sp = stack;
  context.context.uc_stack.ss_size = StackPool::stackBytes;
  context.context.uc_link = nullptr;
  makecontext(&context.context, entry, 0);
}

#else

// Saves what a function has to keep for its caller, and exchanges the stack.
extern "C" void autosage_simt_switch_stack(void **from, void *to);
asm(R"(
  .text
  .hidden autosage_simt_switch_stack
  .globl autosage_simt_switch_stack
  .type autosage_simt_switch_stack, @function
autosage_simt_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
  .size autosage_simt_switch_stack, . - autosage_simt_switch_stack
)");

void autosage::simt::switchContext(Context &from, Context &to) {
  TELL_OF_SWITCH(from, to);
  autosage_simt_switch_stack(&from.stackPointer, to.stackPointer);
}

void autosage::simt::prepareContext(Context &context, char *stack,
                                    void (*entry)()) {
  tellOfStart(context);
  auto **top = reinterpret_cast<void **>(stack + StackPool::stackBytes);
  // A function starts with its return address 8 bytes below a multiple of 16;
  // the entry never returns, so the address is null. Below it are the entry, to
  // which the switch returns, and six registers.
  *--top = nullptr;
  *--top = reinterpret_cast<void *>(entry);
  for (int i = 0; i < 6; ++i)
    *--top = nullptr;
  context.stackPointer = top;
}

#endif

static size_t guardBytes() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

char *StackPool::take() {
  if (!free.empty()) {
    char *stack = free.back();
    free.pop_back();
    return stack;
  }
  void *memory =
      mmap(nullptr, stackBytes + guardBytes(), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  mprotect(memory, guardBytes(), PROT_NONE);
  char *stack = static_cast<char *>(memory) + guardBytes();
  all.push_back(stack);
  return stack;
}

StackPool::~StackPool() {
  for (char *stack : all)
    munmap(stack - guardBytes(), stackBytes + guardBytes());
}
