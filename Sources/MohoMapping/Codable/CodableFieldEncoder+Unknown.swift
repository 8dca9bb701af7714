extension CodableFieldEncoder {
  /// Returns the paths of omitted keys that would be read from unknown members. They
  /// are written as null.
  ///
  /// - Parameters:
  ///   - keys: The keys of the object, or of an inlined model.
  ///   - members: The paths of the members.
  ///   - tree: The object with all keys.
  func nullPaths(
    of keys: FieldKeys, besides members: [FieldPath], in tree: EncodableTree
  ) -> [FieldPath] {
    keys.keys.indices.flatMap { index -> [FieldPath] in
      if let writer = inlined[index], case .object(let keys) = writer.shape {
        return writer.nullPaths(of: keys, besides: members, in: tree)
      }
      guard keys.isRead(at: index, from: members) else { return [] }
      if keys.keys[index].isInlined { return keys.keysOfNil(at: index)?.pathsOfNil ?? [] }
      guard let path = keys.keys[index].source, !tree.hasValue(at: path) else {
        return []
      }
      return [path]
    }
  }

  /// Claims the paths of the object's keys, including those of nil models. Only the
  /// alternatives of keys that are not in the object can be read.
  ///
  /// - Parameters:
  ///   - keys: The keys of the object, or of an inlined model.
  ///   - tree: The object with all keys.
  func claim(_ keys: FieldKeys, in tree: EncodableTree, _ claims: inout ClaimedPaths) {
    claim(keys, inlined, in: tree, &claims)
  }

  private func claim(
    _ keys: FieldKeys, _ inlined: [Int: CodableFieldEncoder], in tree: EncodableTree,
    _ claims: inout ClaimedPaths
  ) {
    for (index, key) in keys.keys.enumerated() {
      if let writer = inlined[index], case .object(let keys) = writer.shape {
        writer.claim(keys, in: tree, &claims)
      } else if key.isInlined, let keys = keys.keysOfNil(at: index) {
        claim(keys, [:], in: tree, &claims)
      } else if key.isInlined {
        for path in keys.possiblePaths(at: index) { claims.insert(path) }
      } else if let source = key.source {
        claims.insert(source)
        guard !tree.hasValue(at: source) else { continue }
        for path in key.alternatives { claims.insert(path) }
      }
    }
  }
}

extension FieldKeys {
  /// The paths that are null if an inlined model with these keys is nil.
  fileprivate var pathsOfNil: [FieldPath] {
    keys.enumerated().flatMap { index, key -> [FieldPath] in
      if key.isInlined { return keysOfNil(at: index)?.pathsOfNil ?? [] }
      return [key.source].compactMap { $0 }
    }
  }
}
