//===- LaunchToRuntime.cpp - launches and device memory as calls ----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host code of the GPU path calls include/autosage/Runtime/Device.h. Calls
// and what they need are ops of the LLVM dialect; the functions around them are
// lowered by later passes.
//
//===----------------------------------------------------------------------===//

#include "autosage/Conversion/LaunchToRuntime/LaunchToRuntime.h"

#include "autosage/Runtime/Device.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#define DEBUG_TYPE "autosage-launch-to-runtime"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGELAUNCHTORUNTIME
#include "autosage/Conversion/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;

//===----------------------------------------------------------------------===//
// Calls and globals
//===----------------------------------------------------------------------===//

namespace {
/// Builds host code at an insertion point.
class Lowering {
public:
  explicit Lowering(ModuleOp module)
      : module(module), b(module.getContext()), symbols(module),
        converter(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  LogicalResult makeImage(gpu::BinaryOp binary);
  LogicalResult lower(gpu::LaunchFuncOp launch);
  LogicalResult lower(memref::AllocOp alloc);
  LogicalResult lower(memref::DeallocOp dealloc);
  LogicalResult lower(memref::CopyOp copy);

private:
  Value i64(Location loc, int64_t value) {
    return LLVM::ConstantOp::create(b, loc, b.getI64Type(), value);
  }
  Value toI64(Location loc, Value index) {
    if (index.getType() == b.getI64Type())
      return index;
    if (isa<IndexType>(index.getType()))
      return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
    return arith::ExtSIOp::create(b, loc, b.getI64Type(), index);
  }
  Value address(Location loc, LLVM::GlobalOp global) {
    return LLVM::AddressOfOp::create(b, loc, global);
  }
  Value call(Location loc, StringRef name, Type result, ValueRange operands);
  LLVM::GlobalOp string(Location loc, StringRef name, StringRef text);
  /// The address of a buffer's first element.
  Value pointerOf(Location loc, Value memref);
  /// i64, or null where the memref is not contiguous.
  Value bytesOf(Location loc, Value memref);
  int64_t elementBytes(Type element);

  ModuleOp module;
  OpBuilder b;
  SymbolTable symbols;
  LLVMTypeConverter converter;
  Type pointer;
};
} // namespace

static std::string imageName(StringRef gpuModule) {
  return ("autosage_image_" + gpuModule).str();
}

Value Lowering::call(Location loc, StringRef name, Type result,
                     ValueRange operands) {
  Type resultType = result ? result : LLVM::LLVMVoidType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(resultType,
                                          llvm::to_vector(operands.getTypes()));
  if (!symbols.lookup(name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    symbols.insert(LLVM::LLVMFuncOp::create(b, loc, name, type));
  }
  auto call = LLVM::CallOp::create(b, loc, type, name, operands);
  return result ? call.getResult() : Value();
}

LLVM::GlobalOp Lowering::string(Location loc, StringRef name, StringRef text) {
  if (auto known = symbols.lookup<LLVM::GlobalOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  std::string bytes = text.str();
  bytes.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
  auto global = LLVM::GlobalOp::create(
      b, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
      b.getStringAttr(bytes), /*alignment=*/16);
  symbols.insert(global);
  return global;
}

LogicalResult Lowering::makeImage(gpu::BinaryOp binary) {
  Location loc = binary.getLoc();
  if (binary.getObjects().size() != 1)
    return binary.emitError("expects one object, got ")
           << binary.getObjects().size();
  auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
  int32_t kind;
  switch (object.getFormat()) {
  case gpu::CompilationTarget::Binary:
    kind = AUTOSAGE_IMAGE_CUBIN;
    break;
  case gpu::CompilationTarget::Assembly:
    kind = AUTOSAGE_IMAGE_PTX;
    break;
  case gpu::CompilationTarget::Fatbin:
    kind = AUTOSAGE_IMAGE_FATBIN;
    break;
  default:
    return binary.emitError(
        "expects an object that the runtime can load: assembly, binary or "
        "fatbin");
  }
  StringRef name = binary.getName();
  StringRef bytes = object.getObject().getValue();
  LLVM::GlobalOp data = string(loc, (name + "_object").str(), bytes);
  LLVM::GlobalOp nameText = string(loc, (name + "_name").str(), name);
  int64_t size = bytes.size() + (kind == AUTOSAGE_IMAGE_PTX ? 1 : 0);

  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  Type i32 = b.getI32Type(), i64Type = b.getI64Type();
  auto type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), {i32, i32, i32, i32, pointer, pointer, i64Type, pointer});
  auto image = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/false,
                                      LLVM::Linkage::Internal, imageName(name),
                                      Attribute());
  symbols.insert(image);
  b.setInsertionPointToStart(b.createBlock(&image.getInitializerRegion()));
  auto number = [&](Type type, int64_t value) -> Value {
    return LLVM::ConstantOp::create(b, loc, type, value);
  };
  Value fields[] = {number(i32, sizeof(autosage_image)),
                    number(i32, AUTOSAGE_DEVICE_VERSION),
                    number(i32, kind),
                    number(i32, 0),
                    address(loc, nameText),
                    address(loc, data),
                    number(i64Type, size),
                    LLVM::ZeroOp::create(b, loc, pointer)};
  Value value = LLVM::UndefOp::create(b, loc, type);
  for (auto [i, field] : llvm::enumerate(fields))
    value = LLVM::InsertValueOp::create(b, loc, value, field,
                                        static_cast<int64_t>(i));
  LLVM::ReturnOp::create(b, loc, value);
  binary.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

LogicalResult Lowering::lower(gpu::LaunchFuncOp launch) {
  Location loc = launch.getLoc();
  StringRef moduleName = launch.getKernelModuleName().getValue();
  auto image = symbols.lookup<LLVM::GlobalOp>(imageName(moduleName));
  if (!image)
    return launch.emitOpError("expects a gpu.binary or an image for '")
           << moduleName << "', got none";
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty())
    return launch.emitOpError("expects a launch without tokens");
  if (launch.hasClusterSize())
    return launch.emitOpError("expects a launch without clusters");

  b.setInsertionPoint(launch);
  StringRef kernel = launch.getKernelName().getValue();
  LLVM::GlobalOp nameText =
      string(loc, (moduleName + "_" + kernel + "_name").str(), kernel);
  // Stack slots at the start of the function: a launch may be in a loop.
  SmallVector<Value> slots;
  Value table;
  ValueRange operands = launch.getKernelOperands();
  {
    OpBuilder::InsertionGuard guard(b);
    auto function = launch->getParentOfType<FunctionOpInterface>();
    b.setInsertionPointToStart(&function.getFunctionBody().front());
    Value one = i64(loc, 1);
    for (Value operand : operands) {
      if (!LLVM::isCompatibleType(operand.getType()))
        return launch.emitOpError("expects arguments of LLVM types, got ")
               << operand.getType();
      slots.push_back(LLVM::AllocaOp::create(b, loc, pointer, operand.getType(),
                                             one, /*alignment=*/0));
    }
    table = LLVM::AllocaOp::create(
        b, loc, pointer, pointer,
        i64(loc, std::max<int64_t>(1, operands.size())), /*alignment=*/0);
    for (auto [i, slot] : llvm::enumerate(slots)) {
      Value entry =
          LLVM::GEPOp::create(b, loc, pointer, pointer, table,
                              ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
      LLVM::StoreOp::create(b, loc, slot, entry);
    }
  }
  for (auto [operand, slot] : llvm::zip_equal(operands, slots))
    LLVM::StoreOp::create(b, loc, operand, slot);
  SmallVector<Value> arguments = {address(loc, image), address(loc, nameText)};
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  for (Value size : {grid.x, grid.y, grid.z, block.x, block.y, block.z})
    arguments.push_back(toI64(loc, size));
  Value shared = launch.getDynamicSharedMemorySize();
  arguments.push_back(shared ? toI64(loc, shared) : i64(loc, 0));
  arguments.push_back(table);
  arguments.push_back(i64(loc, operands.size()));
  call(loc, "autosage_launch_kernel", b.getI32Type(), arguments);
  launch.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Elements of the lists that buffer deallocation keeps for itself, pointers
/// and conditions: kernels have none of these types. The function that it adds
/// for many buffers takes such lists of any length.
static bool hasHostElements(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && (memref.getElementType().isIndex() ||
                    memref.getElementType().isInteger(1));
}

/// Whether buffer deallocation made such a list: of known length, and the host
/// reads or writes it. Kernels may have buffers of these types too.
static bool isHostHelper(memref::AllocOp alloc) {
  return hasHostElements(alloc.getType()) && alloc.getType().hasStaticShape() &&
         llvm::any_of(alloc->getUsers(), [](Operation *user) {
           return isa<memref::LoadOp, memref::StoreOp>(user);
         });
}

int64_t Lowering::elementBytes(Type element) {
  return element.isIndex()
             ? 8
             : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

Value Lowering::pointerOf(Location loc, Value memref) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, memref);
  Value base = toI64(
      loc, memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref));
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  Value offset = arith::MulIOp::create(b, loc, toI64(loc, metadata.getOffset()),
                                       i64(loc, elementBytes(element)));
  Value address = arith::AddIOp::create(b, loc, base, offset);
  return LLVM::IntToPtrOp::create(b, loc, pointer, address);
}

Value Lowering::bytesOf(Location loc, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return {};
  // The offset may be any, the rest has to be as without a layout.
  auto plain = MemRefType::get(type.getShape(), type.getElementType());
  int64_t plainOffset;
  SmallVector<int64_t> plainStrides;
  [[maybe_unused]] LogicalResult always =
      plain.getStridesAndOffset(plainStrides, plainOffset);
  bool isPlain = type.getLayout().isIdentity() ||
                 (type.hasStaticShape() && strides == plainStrides);
  if (!isPlain)
    return {};
  Value bytes = i64(loc, elementBytes(type.getElementType()));
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value size = memref::DimOp::create(b, loc, memref, dim);
    bytes = arith::MulIOp::create(b, loc, bytes, toI64(loc, size));
  }
  return bytes;
}

LogicalResult Lowering::lower(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (isHostHelper(alloc))
    return success();
  if (!type.getLayout().isIdentity() || !alloc.getSymbolOperands().empty())
    return alloc.emitOpError("expects a contiguous buffer, got ") << type;
  Location loc = alloc.getLoc();
  b.setInsertionPoint(alloc);
  SmallVector<Value> sizes, strides(type.getRank());
  unsigned dynamic = 0;
  for (int64_t size : type.getShape())
    sizes.push_back(ShapedType::isDynamic(size)
                        ? toI64(loc, alloc.getDynamicSizes()[dynamic++])
                        : i64(loc, size));
  Value count = i64(loc, 1);
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    strides[dim] = count;
    count = arith::MulIOp::create(b, loc, count, sizes[dim]);
  }
  Value bytes = arith::MulIOp::create(
      b, loc, count, i64(loc, elementBytes(type.getElementType())));
  Value memory = call(loc, "autosage_device_alloc", pointer, bytes);
  Value descriptor = MemRefDescriptor::pack(b, loc, converter, type, [&] {
    SmallVector<Value> fields = {memory, memory, i64(loc, 0)};
    llvm::append_range(fields, sizes);
    llvm::append_range(fields, strides);
    return fields;
  }());
  auto cast = UnrealizedConversionCastOp::create(b, loc, type, descriptor);
  alloc.replaceAllUsesWith(cast.getResult(0));
  alloc.erase();
  return success();
}

LogicalResult Lowering::lower(memref::DeallocOp dealloc) {
  // Allocations of the device are none any more.
  if (auto alloc = dealloc.getMemref().getDefiningOp<memref::AllocOp>();
      alloc && isHostHelper(alloc))
    return success();
  Location loc = dealloc.getLoc();
  b.setInsertionPoint(dealloc);
  // What alloc gave is the address without an offset.
  Value base = toI64(loc, memref::ExtractAlignedPointerAsIndexOp::create(
                              b, loc, dealloc.getMemref()));
  call(loc, "autosage_device_free", Type(),
       Value(LLVM::IntToPtrOp::create(b, loc, pointer, base)));
  dealloc.erase();
  return success();
}

LogicalResult Lowering::lower(memref::CopyOp copy) {
  Location loc = copy.getLoc();
  b.setInsertionPoint(copy);
  Value bytes = bytesOf(loc, copy.getSource());
  if (!bytes || !bytesOf(loc, copy.getTarget()))
    return copy.emitOpError("expects contiguous buffers on the GPU path, got ")
           << copy.getSource().getType() << " and "
           << copy.getTarget().getType();
  call(loc, "autosage_device_copy", Type(),
       {pointerOf(loc, copy.getTarget()), pointerOf(loc, copy.getSource()),
        bytes});
  copy.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Whether the op would read or write device memory from the host.
static bool touchesElements(Operation *op) {
  if (isa<gpu::LaunchFuncOp, memref::AllocOp, memref::AllocaOp,
          memref::DeallocOp, memref::CopyOp>(op) ||
      !isa<MemoryEffectOpInterface>(op) || isPure(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    return isa<MemRefType>(type) && !hasHostElements(type);
  });
}

namespace {
struct AutosageLaunchToRuntimePass final
    : public mlir::autosage::impl::AutosageLaunchToRuntimeBase<
          AutosageLaunchToRuntimePass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Lowering lowering(module);
    bool anyFailed = false;
    auto check = [&](LogicalResult result) { anyFailed |= failed(result); };
    for (auto binary :
         llvm::make_early_inc_range(module.getOps<gpu::BinaryOp>()))
      check(lowering.makeImage(binary));

    SmallVector<Operation *> ops;
    for (auto function : module.getOps<FunctionOpInterface>())
      function->walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      if (touchesElements(op)) {
        op->emitOpError("expects device memory to be used by autosage ops and "
                        "copies alone");
        anyFailed = true;
      } else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
        check(lowering.lower(launch));
      } else if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
        check(lowering.lower(alloc));
      } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
        check(lowering.lower(dealloc));
      } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
        check(lowering.lower(copy));
      }
    }
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
    if (anyFailed)
      signalPassFailure();
  }
};
} // namespace
