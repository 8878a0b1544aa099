//===- Kernel.cpp - kernels, their parameters and launches ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is a gpu.func with pointer and i64 parameters. noalias, readonly and
// the alignment on pointers are what turns loads into wide ones through the
// read-only cache.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

#include "autosage/Core/GpuChip.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::autosage::device {

static constexpr unsigned kGlobalSpace = 1;
static constexpr unsigned kSharedSpace = 3;

//===----------------------------------------------------------------------===//
// KernelModule
//===----------------------------------------------------------------------===//

Attribute targetOfChip(ModuleOp module, const std::string &chip) {
  ::autosage::Result<::autosage::GpuChip> facts = ::autosage::findGpuChip(chip);
  if (!facts) {
    module.emitError() << facts.error();
    return {};
  }
  return NVVM::NVVMTargetAttr::get(module.getContext(), /*optLevel=*/3,
                                   "nvptx64-nvidia-cuda", chip,
                                   "+ptx" + std::to_string(facts->ptxVersion));
}

mlir::gpu::GPUModuleOp KernelModule::getGPUModule() {
  if (gpuModule)
    return gpuModule;
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  gpuModule = mlir::gpu::GPUModuleOp::create(b, module.getLoc(), name,
                                             b.getArrayAttr(target));
  // Another module may have the name.
  SymbolTable(module).insert(gpuModule);
  module->setAttr(mlir::gpu::GPUDialect::getContainerModuleAttrName(),
                  b.getUnitAttr());
  return gpuModule;
}

mlir::gpu::GPUFuncOp KernelModule::add(StringRef key, StringRef name,
                                       FunctionType type) {
  OpBuilder b = OpBuilder::atBlockEnd(getGPUModule().getBody());
  std::string unique = name.str();
  for (unsigned i = 1; gpuModule.lookupSymbol(unique); ++i)
    unique = name.str() + "_" + std::to_string(i);
  auto function =
      mlir::gpu::GPUFuncOp::create(b, module.getLoc(), unique, type);
  function->setAttr(mlir::gpu::GPUDialect::getKernelFuncAttrName(),
                    b.getUnitAttr());
  byKey[key] = function;
  return function;
}

//===----------------------------------------------------------------------===//
// KernelBuilder
//===----------------------------------------------------------------------===//

void KernelBuilder::distinguish(StringRef fact) {
  key += ' ';
  key += fact;
}

void KernelBuilder::distinguish(StringRef fact, int64_t value) {
  distinguish(fact);
  key += '=' + std::to_string(value);
}

KernelBuilder::Param KernelBuilder::scalar(const Extent &extent) {
  Param param;
  param.fixed = extent.fixed;
  if (extent.fixed) {
    distinguish("fixed", *extent.fixed);
    return param;
  }
  distinguish("i64");
  param.number = parameters.size();
  parameters.push_back({extent.host, host.b.getI64Type(), Access::read, 0});
  return param;
}

KernelBuilder::Param KernelBuilder::number(Value value) {
  llvm::raw_string_ostream(key) << ' ' << value.getType();
  Param param;
  param.number = parameters.size();
  parameters.push_back({value, value.getType(), Access::read, 0});
  return param;
}

KernelBuilder::View KernelBuilder::view(const Buffer &buffer, Access access,
                                        int64_t alignment) {
  if (!buffer) {
    distinguish("none");
    return {};
  }
  View view;
  view.element = buffer.element;
  view.alignment = alignment ? alignment : sizeOf(buffer.element);
  llvm::raw_string_ostream(key)
      << ' ' << buffer.element << static_cast<int>(access) << '/'
      << view.alignment;
  view.pointer.number = parameters.size();
  OpBuilder &b = host.b;
  Type pointer = LLVM::LLVMPointerType::get(b.getContext(), kGlobalSpace);
  parameters.push_back(
      {LLVM::IntToPtrOp::create(b, host.loc, pointer, buffer.address), pointer,
       access, view.alignment});
  for (const Extent &stride : buffer.strides)
    view.strides.push_back(scalar(stride));
  return view;
}

Value KernelBuilder::Body::operator()(const Param &param) {
  if (param.fixed)
    return e.i64(*param.fixed);
  return function.getArgument(param.number);
}

Value KernelBuilder::Body::offset(const View &view, ValueRange indices) {
  Value sum;
  for (auto [index, stride] : llvm::zip(indices, view.strides)) {
    if (stride.is(0))
      continue;
    Value term = stride.is(1) ? index : e.mulI(index, (*this)(stride));
    sum = sum ? e.addI(sum, term) : term;
  }
  return sum ? sum : e.i64(0);
}

Value KernelBuilder::Body::at(const View &view, ValueRange indices) {
  return e.at(pointer(view), view.element, offset(view, indices));
}

Value KernelBuilder::Body::constant(DenseElementsAttr elements) {
  OpBuilder &b = e.b;
  std::string name =
      (function.getName() + "_data" + std::to_string(numConstants++)).str();
  LLVM::GlobalOp global;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(function);
    global = LLVM::GlobalOp::create(
        b, e.loc,
        LLVM::LLVMArrayType::get(elements.getElementType(),
                                 elements.getNumElements()),
        /*isConstant=*/true, LLVM::Linkage::Internal, name, elements,
        /*alignment=*/16, kGlobalSpace);
  }
  return LLVM::AddressOfOp::create(b, e.loc, global);
}

Value KernelBuilder::Body::shared(Type element, int64_t count) {
  OpBuilder &b = e.b;
  std::string name =
      (function.getName() + "_shared" + std::to_string(numShared++)).str();
  LLVM::GlobalOp global;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(function);
    global = LLVM::GlobalOp::create(
        b, e.loc, LLVM::LLVMArrayType::get(element, count),
        /*isConstant=*/false, LLVM::Linkage::Internal, name, Attribute(),
        /*alignment=*/16, kSharedSpace);
    Block *block = b.createBlock(&global.getInitializerRegion());
    b.setInsertionPointToStart(block);
    LLVM::ReturnOp::create(b, e.loc,
                           LLVM::UndefOp::create(b, e.loc, global.getType()));
  }
  return LLVM::AddressOfOp::create(b, e.loc, global);
}

void KernelBuilder::launch(const Geometry &geometry,
                           function_ref<void(Body &)> emitBody) {
  distinguish("threads", geometry.threads);
  distinguish("min_blocks", geometry.minBlocks);
  OpBuilder &b = host.b;
  KernelModule::Limits limits = kernels.getLimits();
  // A grid that is too large is launched in pieces: a number more per thread
  // costs nothing, where a loop in the kernel costs registers.
  Value zero = host.i64(0);
  Param firstX = scalar({std::nullopt, zero});
  bool fitsY =
      geometry.blocksY.fixed && *geometry.blocksY.fixed <= limits.gridY;
  Param firstY = fitsY ? scalar(host.fixed(0)) : scalar({std::nullopt, zero});

  mlir::gpu::GPUFuncOp function = kernels.lookUp(key);
  if (!function) {
    SmallVector<Type> types;
    for (const Parameter &parameter : parameters)
      types.push_back(parameter.type);
    function = kernels.add(key, name, b.getFunctionType(types, {}));
    function.setKnownBlockSizeAttr(
        b.getDenseI32ArrayAttr({static_cast<int32_t>(geometry.threads), 1, 1}));
    if (geometry.minBlocks)
      function->setAttr("nvvm.minctasm",
                        b.getI32IntegerAttr(geometry.minBlocks));
    for (auto [i, parameter] : llvm::enumerate(parameters)) {
      if (!isa<LLVM::LLVMPointerType>(parameter.type))
        continue;
      unsigned number = i;
      if (parameter.access != Access::aliased)
        function.setArgAttr(number, "llvm.noalias", b.getUnitAttr());
      function.setArgAttr(number, "llvm.align",
                          b.getI64IntegerAttr(parameter.alignment));
      if (parameter.access == Access::read)
        function.setArgAttr(number, "llvm.readonly", b.getUnitAttr());
      if (parameter.access == Access::write)
        function.setArgAttr(number, "llvm.writeonly", b.getUnitAttr());
    }
    OpBuilder inside = OpBuilder::atBlockBegin(&function.getBody().front());
    Body body(inside, host.loc, function);
    body.blockX = body.e.addI(body.e.blockX(), body(firstX));
    body.blockY = geometry.blocksY.is(1)
                      ? body.e.i64(0)
                      : (fitsY ? body.e.blockY()
                               : body.e.addI(body.e.blockY(), body(firstY)));
    emitBody(body);
    mlir::gpu::ReturnOp::create(inside, host.loc);
  }

  SmallVector<Value> arguments;
  for (const Parameter &parameter : parameters)
    arguments.push_back(parameter.host);
  auto index = [&](Value value) -> Value {
    return b.createOrFold<arith::IndexCastOp>(host.loc, b.getIndexType(),
                                              value);
  };
  Value one = arith::ConstantIndexOp::create(b, host.loc, 1);
  Value threads = arith::ConstantIndexOp::create(b, host.loc, geometry.threads);
  auto launchRow = [&](Value y, Value sizeY) {
    auto loop = scf::ForOp::create(b, host.loc, zero, geometry.blocksX,
                                   host.i64(limits.gridX));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value x = loop.getInductionVar();
    Value sizeX =
        host.minI(host.i64(limits.gridX), host.subI(geometry.blocksX, x));
    arguments[firstX.number] = x;
    if (!fitsY)
      arguments[firstY.number] = y;
    mlir::gpu::LaunchFuncOp::create(
        b, host.loc, function,
        mlir::gpu::KernelDim3{index(sizeX), index(sizeY), one},
        mlir::gpu::KernelDim3{threads, one, one}, Value(), arguments);
  };
  if (fitsY) {
    if (!geometry.blocksY.is(0))
      launchRow(zero, geometry.blocksY.host);
    return;
  }
  auto loop = scf::ForOp::create(b, host.loc, zero, geometry.blocksY.host,
                                 host.i64(limits.gridY));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value y = loop.getInductionVar();
  launchRow(y, host.minI(host.i64(limits.gridY),
                         host.subI(geometry.blocksY.host, y)));
}

} // namespace mlir::autosage::device
