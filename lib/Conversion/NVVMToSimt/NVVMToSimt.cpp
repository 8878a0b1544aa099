//===- NVVMToSimt.cpp - GPU modules to code for the emulator --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is what the NVPTX backend would get, so that what runs on the CPU
// is what ships. Optimisations of the host's compiler come afterwards, as the
// NVPTX backend's would.
//
//===----------------------------------------------------------------------===//

#include "autosage/Conversion/NVVMToSimt/NVVMToSimt.h"

#include "CallBuilder.h"

#include "autosage/Runtime/Device.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#define DEBUG_TYPE "convert-nvvm-to-simt"

namespace mlir::autosage {
#define GEN_PASS_DEF_CONVERTNVVMTOSIMT
#include "autosage/Conversion/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage::simt;

namespace {

/// A kernel in the host's module.
struct Kernel {
  std::string name;       // as launches call it
  LLVM::LLVMFuncOp entry; // for one thread
  int64_t staticShared = 0;
};

class Converter {
public:
  Converter(ModuleOp module, int32_t checks)
      : builder(module), checks(checks), b(builder.b) {}

  LogicalResult convert(gpu::GPUModuleOp module);
  LogicalResult convertLaunches();
  int64_t getKernels() const { return kernels; }
  int64_t getChecks() const { return checked; }

private:
  CallBuilder builder;
  int32_t checks;
  OpBuilder &b;
  int64_t kernels = 0, checked = 0;
  llvm::StringMap<int64_t> staticBytes; // of the kernels of one module

  LogicalResult checkLowered(gpu::GPUModuleOp module);
  void replaceTypes(gpu::GPUModuleOp module);
  void clean(LLVM::LLVMFuncOp function);
  LogicalResult move(gpu::GPUModuleOp module);
  LLVM::LLVMFuncOp makeEntry(LLVM::LLVMFuncOp kernel,
                             ArrayRef<LLVM::GlobalOp> globals);
  LogicalResult makeImage(StringRef module, Location loc,
                          ArrayRef<Kernel> kernels);
  Value insert(Location loc, Value aggregate, Value value, int64_t at);
  Value null(Location loc) {
    return LLVM::ZeroOp::create(b, loc, builder.pointer());
  }
  LogicalResult convertLaunch(gpu::LaunchFuncOp launch);
};

} // namespace

static std::string imageName(StringRef module) {
  return "autosage_image_" + module.str();
}

LogicalResult Converter::checkLowered(gpu::GPUModuleOp module) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (op == module || dialect == "llvm" || dialect == "nvvm")
      return WalkResult::advance();
    op->emitOpError("expects a gpu.module that is lowered to the llvm and nvvm "
                    "dialects");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

void Converter::replaceTypes(gpu::GPUModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](LLVM::LLVMPointerType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([](LLVM::AddrSpaceCastOp cast) {
    cast.getResult().replaceAllUsesWith(cast.getArg());
    cast.erase();
  });
  for (auto global : module.getOps<LLVM::GlobalOp>())
    global.setAddrSpace(0);
}

/// Removes what only the GPU's compiler understands.
void Converter::clean(LLVM::LLVMFuncOp function) {
  auto foreign = [](StringRef name) {
    return name.starts_with("nvvm.") || name.starts_with("gpu.") ||
           // Assumptions about memory that the checks must get to see broken.
           name == "llvm.dereferenceable" ||
           name == "llvm.dereferenceable_or_null";
  };
  for (NamedAttribute attribute : function->getDiscardableAttrDictionary())
    if (foreign(attribute.getName()))
      function->removeDiscardableAttr(attribute.getName());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (DictionaryAttr attributes =
            cast<FunctionOpInterface>(function.getOperation())
                .getArgAttrDict(i))
      for (NamedAttribute attribute : attributes)
        if (foreign(attribute.getName()))
          function.removeArgAttr(i, attribute.getName());
  function.setCConv(LLVM::CConv::C);
  function.removePassthroughAttr();
  function.removeTargetCpuAttr();
  function.removeTargetFeaturesAttr();
}

//===----------------------------------------------------------------------===//
// Functions and variables of the host
//===----------------------------------------------------------------------===//

LLVM::LLVMFuncOp Converter::makeEntry(LLVM::LLVMFuncOp kernel,
                                      ArrayRef<LLVM::GlobalOp> globals) {
  Location loc = kernel.getLoc();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(kernel);
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), {builder.pointer()});
  auto entry =
      LLVM::LLVMFuncOp::create(b, loc, (kernel.getName() + "_entry").str(),
                               type, LLVM::Linkage::Internal);
  builder.getSymbols().insert(entry);
  Block *block = entry.addEntryBlock(b);
  b.setInsertionPointToStart(block);
  DataLayout layout(builder.getModule());
  for (LLVM::GlobalOp global : globals) {
    Value address = LLVM::AddressOfOp::create(b, loc, builder.pointer(),
                                              global.getSymName());
    Value bytes = builder.i64(
        loc, static_cast<int64_t>(
                 layout.getTypeSize(global.getGlobalType()).getFixedValue()));
    Value name = builder.text(loc, global.getSymName());
    Value readOnly = builder.i32(loc, global.getConstant() ? 1 : 0);
    if (failed(builder.call(loc, "autosage_simt_declare_global", {},
                            {address, bytes, name, readOnly}, Effect::memory)))
      return nullptr;
  }
  SmallVector<Value> args;
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    Value slot = LLVM::GEPOp::create(
        b, loc, builder.pointer(), builder.pointer(), block->getArgument(0),
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    Value address = LLVM::LoadOp::create(b, loc, builder.pointer(), slot);
    // An argument that is passed by its address stays there.
    bool byVal =
        kernel.getArgAttr(static_cast<unsigned>(i), "llvm.byval") != nullptr;
    // Host code that stores arguments need not know the type's alignment.
    args.push_back(byVal ? address
                         : LLVM::LoadOp::create(b, loc, type, address,
                                                /*alignment=*/1));
  }
  LLVM::CallOp::create(b, loc, kernel, args);
  LLVM::ReturnOp::create(b, loc, ValueRange{});
  return entry;
}

Value Converter::insert(Location loc, Value aggregate, Value value,
                        int64_t at) {
  return LLVM::InsertValueOp::create(b, loc, aggregate, value,
                                     ArrayRef<int64_t>{at});
}

LogicalResult Converter::makeImage(StringRef module, Location loc,
                                   ArrayRef<Kernel> table) {
  OpBuilder::InsertionGuard guard(b);
  MLIRContext *context = b.getContext();
  Type ptr = builder.pointer(), i32 = b.getI32Type(), i64 = b.getI64Type();
  // autosage_simt_kernel, with a null name at the end.
  auto rowType = LLVM::LLVMStructType::getLiteral(context, {ptr, ptr, i64});
  auto tableType = LLVM::LLVMArrayType::get(
      rowType, static_cast<unsigned>(table.size()) + 1);
  SmallVector<LLVM::GlobalOp> names;
  b.setInsertionPointToEnd(builder.getModule().getBody());
  auto kernelTable = LLVM::GlobalOp::create(
      b, loc, tableType, /*isConstant=*/true, LLVM::Linkage::Internal,
      module.str() + "_kernels", Attribute());
  builder.getSymbols().insert(kernelTable);
  b.createBlock(&kernelTable.getInitializerRegion());
  Value rows = LLVM::ZeroOp::create(b, loc, tableType);
  for (size_t i = 0; i < table.size(); ++i) {
    Kernel kernel = table[i];
    Value row = LLVM::ZeroOp::create(b, loc, rowType);
    row = insert(loc, row, builder.text(loc, kernel.name), 0);
    row = insert(loc, row,
                 LLVM::AddressOfOp::create(b, loc, builder.pointer(),
                                           kernel.entry.getName()),
                 1);
    row = insert(loc, row, builder.i64(loc, kernel.staticShared), 2);
    rows = insert(loc, rows, row, static_cast<int64_t>(i));
  }
  LLVM::ReturnOp::create(b, loc, rows);

  std::string name = imageName(module);
  Operation *known = builder.getSymbols().lookup(name);
  auto declared = dyn_cast_or_null<LLVM::GlobalOp>(known);
  if (known && (!declared || !declared.getInitializerRegion().empty() ||
                declared.getValueAttr()))
    return known->emitOpError("expects the symbol ")
           << name << " to be a declaration of a variable";
  if (declared)
    builder.getSymbols().erase(declared);
  auto imageType = LLVM::LLVMStructType::getLiteral(
      context, {i32, i32, i32, i32, ptr, ptr, i64, ptr});
  b.setInsertionPointToEnd(builder.getModule().getBody());
  auto image =
      LLVM::GlobalOp::create(b, loc, imageType, /*isConstant=*/false,
                             LLVM::Linkage::External, name, Attribute());
  builder.getSymbols().insert(image);
  b.createBlock(&image.getInitializerRegion());
  Value value = LLVM::ZeroOp::create(b, loc, imageType);
  value = insert(loc, value, builder.i32(loc, sizeof(autosage_image)), 0);
  value = insert(loc, value, builder.i32(loc, AUTOSAGE_DEVICE_VERSION), 1);
  value = insert(loc, value, builder.i32(loc, AUTOSAGE_IMAGE_SIMT), 2);
  value = insert(loc, value, builder.text(loc, module), 4);
  value = insert(loc, value,
                 LLVM::AddressOfOp::create(b, loc, builder.pointer(),
                                           kernelTable.getSymName()),
                 5);
  value = insert(
      loc, value,
      builder.i64(loc, static_cast<int64_t>(sizeof(autosage_simt_kernel) *
                                            (table.size() + 1))),
      6);
  LLVM::ReturnOp::create(b, loc, value);
  return success();
}

LogicalResult Converter::move(gpu::GPUModuleOp module) {
  std::string prefix = module.getName().str() + "_";
  SymbolTable &symbols = builder.getSymbols();
  SmallVector<Operation *> members;
  for (Operation &op : *module.getBody())
    members.push_back(&op);
  SmallVector<std::pair<std::string, LLVM::LLVMFuncOp>> found;
  SmallVector<LLVM::GlobalOp> globals;
  // All get their new names while they are still in one module.
  for (Operation *op : members) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    if (!symbol || (function && function.isExternal()))
      continue;
    std::string name = symbol.getName().str(), fresh = prefix + name;
    for (int i = 0;
         symbols.lookup(fresh) || SymbolTable::lookupSymbolIn(module, fresh);
         ++i)
      fresh = prefix + name + "_" + std::to_string(i);
    StringAttr freshName = b.getStringAttr(fresh);
    if (failed(SymbolTable::replaceAllSymbolUses(op, freshName, module)))
      return op->emitOpError("expects uses that can be renamed");
    symbol.setName(freshName);
    if (function && function->hasAttr("nvvm.kernel"))
      found.emplace_back(name, function);
    if (auto global = dyn_cast<LLVM::GlobalOp>(op))
      globals.push_back(global);
  }
  Operation *place = module;
  for (Operation *op : members) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    if (function)
      clean(function);
    if (function && function.isExternal()) {
      // Of the host's libraries: one declaration is enough.
      Operation *known = symbols.lookup(function.getName());
      auto same = dyn_cast_or_null<LLVM::LLVMFuncOp>(known);
      if (known &&
          (!same || same.getFunctionType() != function.getFunctionType()))
        return known->emitOpError("expects the symbol ")
               << function.getName() << " to be an llvm.func of type "
               << function.getFunctionType();
      if (known) {
        function.erase();
        continue;
      }
    } else if (function) {
      function.setLinkage(LLVM::Linkage::Internal);
    }
    op->moveAfter(place);
    place = op;
    if (isa<SymbolOpInterface>(op))
      symbols.insert(op, Block::iterator(op));
  }
  SmallVector<Kernel> table;
  for (auto &[name, function] : found) {
    LLVM::LLVMFuncOp entry = makeEntry(function, globals);
    if (!entry)
      return failure();
    table.push_back({name, entry, staticBytes[name]});
  }
  kernels += static_cast<int64_t>(table.size());
  return makeImage(module.getName(), module.getLoc(), table);
}

LogicalResult Converter::convert(gpu::GPUModuleOp module) {
  if (failed(checkLowered(module)))
    return failure();
  FailureOr<int64_t> count = instrument(module, checks, builder);
  if (failed(count) || failed(lowerOps(module, checks, builder)))
    return failure();
  checked += *count;
  staticBytes.clear();
  if (failed(lowerSharedMemory(module, builder, staticBytes)))
    return failure();
  replaceTypes(module);
  return move(module);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

LogicalResult Converter::convertLaunch(gpu::LaunchFuncOp launch) {
  Location loc = launch.getLoc();
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty())
    return launch.emitOpError("expects a launch that waits for its end, got "
                              "one with async tokens");
  if (launch.hasClusterSize())
    return launch.emitOpError("expects a launch without clusters for the simt "
                              "target");
  auto function = launch->getParentOfType<FunctionOpInterface>();
  if (!function)
    return launch.emitOpError("expects a launch in a function");
  for (Value operand : launch.getKernelOperands())
    if (!LLVM::isCompatibleType(operand.getType()))
      return launch.emitOpError("expects kernel operands of types of the llvm "
                                "dialect (gpu-to-llvm), got ")
             << operand.getType();

  // In the entry block, so that a loop around the launch takes the space once.
  auto count = static_cast<int64_t>(launch.getKernelOperands().size());
  SmallVector<Value> slots;
  b.setInsertionPointToStart(&function.getFunctionBody().front());
  Value one = builder.i64(loc, 1);
  for (Value operand : launch.getKernelOperands())
    slots.push_back(LLVM::AllocaOp::create(b, loc, builder.pointer(),
                                           operand.getType(), one));
  Value args =
      LLVM::AllocaOp::create(b, loc, builder.pointer(), builder.pointer(),
                             builder.i64(loc, std::max<int64_t>(count, 1)));

  b.setInsertionPoint(launch);
  for (int64_t i = 0; i < count; ++i) {
    auto n = static_cast<unsigned>(i);
    LLVM::StoreOp::create(b, loc, launch.getKernelOperands()[n], slots[n]);
    Value slot =
        LLVM::GEPOp::create(b, loc, builder.pointer(), builder.pointer(), args,
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    LLVM::StoreOp::create(b, loc, slots[n], slot);
  }
  auto wide = [&](Value value) -> Value {
    Type i64 = b.getI64Type();
    if (value.getType() == i64)
      return value;
    if (value.getType().isInteger())
      return LLVM::SExtOp::create(b, loc, i64, value);
    return UnrealizedConversionCastOp::create(b, loc, i64, value).getResult(0);
  };
  Value image = LLVM::AddressOfOp::create(
      b, loc, builder.pointer(), imageName(launch.getKernelModuleName()));
  Value name = builder.text(loc, launch.getKernelName());
  SmallVector<Value> operands{image, name};
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  for (Value size : {grid.x, grid.y, grid.z, block.x, block.y, block.z})
    operands.push_back(wide(size));
  Value dynamic = launch.getDynamicSharedMemorySize();
  operands.push_back(dynamic ? wide(dynamic) : builder.i64(loc, 0));
  operands.push_back(args);
  operands.push_back(builder.i64(loc, count));
  if (failed(builder.call(loc, "autosage_launch_kernel", b.getI32Type(),
                          operands, Effect::memory)))
    return failure();
  launch.erase();
  return success();
}

LogicalResult Converter::convertLaunches() {
  SmallVector<gpu::LaunchFuncOp> launches;
  builder.getModule().walk(
      [&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  for (gpu::LaunchFuncOp launch : launches)
    if (failed(convertLaunch(launch)))
      return failure();
  return success();
}

namespace {
struct ConvertNVVMToSimtPass final
    : public mlir::autosage::impl::ConvertNVVMToSimtBase<
          ConvertNVVMToSimtPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<int32_t> flags = parseChecks(checks, module);
    if (failed(flags))
      return signalPassFailure();
    auto modules = llvm::to_vector(module.getOps<gpu::GPUModuleOp>());
    if (modules.empty())
      return;
    Converter converter(module, *flags);
    for (gpu::GPUModuleOp gpuModule : modules)
      if (failed(converter.convert(gpuModule)))
        return signalPassFailure();
    if (failed(converter.convertLaunches()))
      return signalPassFailure();
    for (gpu::GPUModuleOp gpuModule : modules)
      gpuModule.erase();
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
    numKernels += converter.getKernels();
    numChecks += converter.getChecks();
  }
};
} // namespace
