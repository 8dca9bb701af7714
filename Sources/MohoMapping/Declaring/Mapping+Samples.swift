extension Mapping {
  /// Models of sample values, for tests: the first half have a value for every
  /// key, the others nil for some of the keys that allow it.
  ///
  /// Empty where a key has no samples, as those of custom types have not unless
  /// they offer some; see ``FieldValue/sample(_:)``.
  public func samples(_ count: Int) -> [Model] {
    let optional = keys.indices.filter { keys[$0].isOptional && !keys[$0].isTransient }
    return (0..<count).compactMap { number in
      guard let model = sample(FieldSample(position: number, round: number % 3)) else {
        return nil
      }
      guard number >= (count + 1) / 2, !optional.isEmpty else { return try? validated(model) }
      var values: [Int: any HeldValue] = [:]
      for (position, index) in optional.enumerated() where (number + position) % 2 == 0 {
        values[index] = try? fields[index].read(NullDecoder(), index)
      }
      return try? validated(replacing(values, in: model))
    }
  }
}
