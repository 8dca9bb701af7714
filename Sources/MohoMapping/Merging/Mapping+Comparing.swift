extension Mapping {
  /// Returns the names of the keys whose written values differ between two
  /// models, in declaration order. Transient properties are ignored.
  public func changedKeys(from old: Model, to new: Model) -> [String] {
    changedIndexes(from: old, to: new).map { keys[$0].name }
  }

  /// Whether the written values of two models are equal for all keys. Transient
  /// properties are ignored.
  public func areEqual(_ one: Model, _ other: Model) -> Bool {
    changedIndexes(from: one, to: other).isEmpty
  }

  /// Returns the name, the keys and the values of a model on one line.
  public func description(of model: Model) -> String {
    let fields = keys.indices.filter { !keys[$0].isTransient }.map { index in
      "\(keys[index].name): \(contents(of: model, at: index, FieldRecorder()).first ?? .null)"
    }
    return "\(name)(\(fields.joined(separator: ", ")))"
  }

  func changedIndexes(from old: Model, to new: Model) -> [Int] {
    let changed = keys.indices.filter { index in
      !keys[index].isTransient && contents(of: old, at: index) != contents(of: new, at: index)
    }
    return fieldKeys.isCluster && !changed.isEmpty ? Array(keys.indices) : changed
  }

  private func contents(of model: Model, at index: Int) -> [FieldContent] {
    // The keys decide whether the order of unknown members counts.
    contents(of: model, at: index, FieldRecorder(keys: fieldKeys, path: nil))
  }

  private func contents(
    of model: Model, at index: Int, _ recorder: FieldRecorder
  ) -> [FieldContent] {
    withUnsafePointer(to: model) { try? writers.write($0, [index], to: recorder) }
    return recorder.contents
  }
}
