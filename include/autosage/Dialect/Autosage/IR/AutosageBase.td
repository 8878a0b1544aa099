//===- AutosageBase.td - base classes and operand types ----*- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_BASE_TD
#define AUTOSAGE_BASE_TD

include "autosage/Dialect/Autosage/IR/AutosageInterfaces.td"
include "autosage/Dialect/Autosage/IR/AutosageTypes.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Element types of dense operands and edge values: the one place that says so.
defvar Autosage_Elements = [F16, BF16, F32, F64];
// Element types of positions and coordinates.
defvar Autosage_Indices = [I32, I64, Index];

def Autosage_Dense : AnyTypeOf<[
  RankedTensorOf<Autosage_Elements>, MemRefOf<Autosage_Elements>]>;
def Autosage_IndexTensor1D : TensorRankOf<Autosage_Indices, [1]>;
def Autosage_IndexBuffer : AnyTypeOf<[
  RankedTensorOf<Autosage_Indices>, MemRefOf<Autosage_Indices>]>;
def Autosage_Component : AnyTypeOf<[
  RankedTensorOf<Autosage_Indices>, MemRefOf<Autosage_Indices>, Index]>;
def Autosage_Float : AnyAttrOf<[F32Attr, F64Attr]>;
def Autosage_ScaleAttr : Attr<Or<[F32Attr.predicate, F64Attr.predicate]>,
                              "32-bit or 64-bit float attribute"> {
  let storageType = "::mlir::FloatAttr";
  let returnType = "::llvm::APFloat";
}

class Autosage_Op<string mnemonic, list<Trait> traits = []>
    : Op<Autosage_Dialect, mnemonic, traits>;

// Destination-style ops on arrays: pure on tensors, reads and writes on buffers.
class Autosage_DestinationOp<string mnemonic, list<Trait> traits = []>
    : Autosage_Op<mnemonic, !listconcat(traits, [
        DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<ConditionallySpeculatable>,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
        DeclareOpInterfaceMethods<BufferizableOpInterface, [
          "bufferizesToMemoryRead", "bufferizesToMemoryWrite",
          "bufferizesToElementwiseAccess", "getAliasingValues", "bufferize"]>])> {
  let hasVerifier = 1;
  let hasFolder = 1;
  // The interfaces mean the same for all of them.
  let extraClassDefinition = [{
    void $cppClass::getEffects(::llvm::SmallVectorImpl<
        ::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
      ::mlir::autosage::detail::getEffects(*this, effects);
    }
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return hasPureTensorSemantics() ? ::mlir::Speculation::Speculatable
                                      : ::mlir::Speculation::NotSpeculatable;
    }
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &builder, ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return ::mlir::autosage::detail::reifyResultShapes(*this, builder, shapes);
    }
    bool $cppClass::bufferizesToMemoryRead(::mlir::OpOperand &operand,
                                           const ::mlir::bufferization::AnalysisState &) {
      return !isDpsInit(&operand) || ::mlir::autosage::detail::readsOuts(*this);
    }
    bool $cppClass::bufferizesToMemoryWrite(::mlir::OpOperand &operand,
                                            const ::mlir::bufferization::AnalysisState &) {
      return isDpsInit(&operand);
    }
    ::mlir::bufferization::AliasingValueList $cppClass::getAliasingValues(
        ::mlir::OpOperand &operand, const ::mlir::bufferization::AnalysisState &) {
      if (!isDpsInit(&operand) || getNumResults() == 0)
        return {};
      return {{getTiedOpResult(&operand), ::mlir::bufferization::BufferRelation::Equivalent}};
    }
    bool $cppClass::bufferizesToElementwiseAccess(
        const ::mlir::bufferization::AnalysisState &,
        ::llvm::ArrayRef<::mlir::OpOperand *> operands) {
      return ::mlir::autosage::detail::accessesElementwise(*this, operands);
    }
    ::llvm::LogicalResult $cppClass::bufferize(
        ::mlir::RewriterBase &rewriter,
        const ::mlir::bufferization::BufferizationOptions &options,
        ::mlir::bufferization::BufferizationState &state) {
      return ::mlir::autosage::detail::bufferizeDestinationOp(*this, rewriter, options, state);
    }
    ::llvm::LogicalResult $cppClass::fold(
        FoldAdaptor, ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &) {
      return ::mlir::autosage::detail::foldMemRefCasts(*this);
    }
  }];
}

// Ops that look at arrays and answer with a number: pure on tensors, reads on
// buffers.
class Autosage_LookingOp<string mnemonic, list<Trait> traits = []>
    : Autosage_Op<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<ConditionallySpeculatable>,
        DeclareOpInterfaceMethods<BufferizableOpInterface, [
          "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues",
          "bufferize"]>])> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    void $cppClass::getEffects(::llvm::SmallVectorImpl<
        ::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
      ::mlir::autosage::detail::getEffectsOfLooking(*this, effects);
    }
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return ::mlir::autosage::detail::looksAtBuffers(*this)
                 ? ::mlir::Speculation::NotSpeculatable
                 : ::mlir::Speculation::Speculatable;
    }
    bool $cppClass::bufferizesToMemoryRead(::mlir::OpOperand &,
                                           const ::mlir::bufferization::AnalysisState &) {
      return true;
    }
    bool $cppClass::bufferizesToMemoryWrite(::mlir::OpOperand &,
                                            const ::mlir::bufferization::AnalysisState &) {
      return false;
    }
    ::mlir::bufferization::AliasingValueList $cppClass::getAliasingValues(
        ::mlir::OpOperand &, const ::mlir::bufferization::AnalysisState &) {
      return {};
    }
    ::llvm::LogicalResult $cppClass::bufferize(
        ::mlir::RewriterBase &rewriter,
        const ::mlir::bufferization::BufferizationOptions &options,
        ::mlir::bufferization::BufferizationState &state) {
      return ::mlir::autosage::detail::bufferizeLookingOp(*this, rewriter, options, state);
    }
  }];
}

#endif // AUTOSAGE_BASE_TD
