import Synchronization

/// An array in documents with values of keys at its indexes.
package struct KeyArray: Sendable {
  package let path: FieldPath
  /// The indexes of the keys, including inlined models with keys in the array.
  let keys: Set<Int>
}

extension FieldKeys {
  /// The arrays with values of keys, in declaration order.
  package var arrays: [KeyArray] {
    if let known = knownArrays.withLock({ $0 }) { return known }
    // Not computed earlier: declarations of inlined models can refer to this one.
    let arrays = findArrays()
    knownArrays.withLock { $0 = arrays }
    return arrays
  }

  /// Whether only a ``MergePatchDecoder`` finds all changes of a merge patch: those of
  /// unknown members, and of keys in arrays, which are replaced as a whole.
  var needsMergePatches: Bool { receiver != nil || !arrays.isEmpty }

  /// Whether the fast path does not find all changes of a merge patch.
  package var needsDiagnosticMergePatches: Bool {
    if !arrays.isEmpty { return true }
    return receiver != nil && (receiver != unknownIndex || keys.contains(where: \.isInlined))
  }

  private func findArrays() -> [KeyArray] {
    var arrays: [KeyArray] = []
    for index in keys.indices {
      var issues: [DeclarationIssue] = []
      for claim in members(of: index, inside: [], &issues) {
        guard let path = claim.path.arrayPath else { continue }
        if let known = arrays.firstIndex(where: { $0.path.hasSameBytes(as: path) }) {
          arrays[known] = KeyArray(path: path, keys: arrays[known].keys.union([index]))
        } else {
          arrays.append(KeyArray(path: path, keys: [index]))
        }
      }
    }
    return arrays
  }

  /// Whether a merge patch removes a key, or a key of an inlined model, by an array
  /// without it.
  func isRemoved(at index: Int, by patch: any MergePatchDecoder) -> Bool {
    guard keys[index].isInlined else { return patch.removes(index) }
    // An optional model without keys would become nil, although it has other keys.
    if keys[index].isOptional { return false }
    return inlined[index, default: []].contains { model in
      guard let object = try? patch.object(at: index, keys: model.table),
        let inner = object as? any MergePatchDecoder
      else { return false }
      return model.table.keys.indices.contains { model.table.isRemoved(at: $0, by: inner) }
    }
  }
}
