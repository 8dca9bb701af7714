import MohoMapping

extension GraphWriter {
  /// Returns the stored models with the unique keys of recorded rows, and merged models that
  /// have not been written.
  func storedModels(of batch: GraphBatch) throws -> StoredMerging {
    let merging = deferredRows?.deferredModels(of: merging) ?? StoredMerging()
    for node in order where node.mergesInMemory {
      var keys = batch.keysToMerge(of: node)[...]
      while !keys.isEmpty {
        try add(node.model, Array(keys.prefix(500)), to: merging, for: batch)
        keys = keys.dropFirst(500)
      }
    }
    return merging
  }

  private func add<Nested: MappedModel>(
    _ model: Nested.Type, _ keys: [FieldContent], to merging: StoredMerging, for batch: GraphBatch
  ) throws {
    let node = try schema.node(of: model)
    let recording = GraphRecording(schema, for: batch)
    for model in try statements.models(of: model, with: keys) {
      guard batch.mergesRows, node.rowMerges != nil else {
        try merging.add(model)
        continue
      }
      let row = GraphRow(node, at: FieldPath([]))
      let recorder = GraphRecorder(row, recording, path: row.path, validatesModels: false)
      try Nested.mapping.encode(model, to: recorder)
      merging.add(row)
    }
  }

  /// Merges the recorded rows of nodes that merge rows, and validates the results.
  func mergeRows(of batch: GraphBatch, into merging: StoredMerging) throws {
    let recording = GraphRecording(schema, for: batch)
    for row in batch.mergedRows {
      do {
        if let policies = row.node.rowMerges {
          // Other rows have been validated alone.
          if merging.merge(row, by: policies) {
            try row.node.model.validate(stored: row.contents, path: row.path)
          } else if let failure = row.failure {
            throw failure
          }
        } else {
          let recorder = GraphRecorder(row, recording, path: row.path, validatesModels: true)
          try merging.merge(row.node.model, at: row.path, stored: row.contents, to: recorder)
        }
      } catch {
        try failures.add((error as? MappingError)?.locating(at: row.path) ?? error)
        continue
      }
      row.written?.contents = row.contents
    }
  }
}

extension GraphBatch {
  /// Returns the unique keys of the recorded rows whose stored rows are needed to merge them.
  fileprivate func keysToMerge(of node: ModelNode) -> [FieldContent] {
    guard mergesRows, let policies = node.rowMerges else {
      return rows(of: node).map(\.key).filter { $0 != .null }
    }
    var seen: Set<UniqueKey> = []
    return mergedRows.compactMap { row in
      guard row.node === node, let key = UniqueKey(row.key), seen.insert(key).inserted,
        policies.contains(where: { $1 == .stored || row.contents[$0] == .null })
      else { return nil }
      return row.key
    }
  }
}

extension MappedModel {
  fileprivate static func validate(stored contents: [FieldContent?], path: FieldPath) throws {
    _ = try mapping.model(
      from: ContentDecoder(stored: contents, path: path, keys: mapping.fieldKeys))
  }
}
