extension Array: FieldValue where Element: FieldValue {
  /// An array.
  public static var fieldType: FieldType { .array }

  /// An array of the elements.
  public static var fieldSchema: FieldSchema { .array(of: Element.fieldSchema) }

  /// The related models of the elements, ordered.
  public static var relatedModels: RelatedModels? {
    Element.relatedModels?.many(isOrdered: true)
  }

  /// Reads all elements.
  ///
  /// - Throws: ``MappingError`` with the errors of all elements that failed, in
  ///   order.
  @inlinable
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> [Element] {
    let elements = try decoder.array(at: index)
    return try readAll(elements.count) { position in
      try Element.decode(from: elements.decoder, at: position)
    }
  }

  /// Writes all elements.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encode(to: encoder, at: index) { try $0.encode(to: $1, at: $2) }
  }

  /// An array of one sample.
  public static func sample(_ sample: FieldSample) -> [Element]? {
    Element.sample(sample.omissible).map { [$0] }
  }
}

extension Set: FieldValue where Element: FieldValue {
  /// An array.
  public static var fieldType: FieldType { .array }

  /// An array of the elements.
  public static var fieldSchema: FieldSchema { .array(of: Element.fieldSchema) }

  /// The related models of the elements, unordered.
  public static var relatedModels: RelatedModels? {
    Element.relatedModels?.many(isOrdered: false)
  }

  /// Reads all elements. Equal elements become one.
  ///
  /// - Throws: ``MappingError`` with the errors of all elements that failed, in
  ///   order.
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Set {
    Set(try [Element].decode(from: decoder, at: index))
  }

  /// Writes all elements, sorted by their contents. Equal sets are written
  /// equally.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    // Sorting records the elements. Recording them once more would double the
    // time for each level of nested sets.
    if let recorder = encoder as? FieldRecorder {
      try Array(self).encode(to: recorder, at: index)
      return recorder.sortLastElements()
    }
    try sortedByContent().encode(to: encoder, at: index)
  }

  private func sortedByContent() throws -> [Element] {
    guard count > 1 else { return Array(self) }
    return try map { (content: try FieldRecorder.content(of: $0), element: $0) }
      .sorted { $0.content.precedes($1.content) }
      .map(\.element)
  }

  /// A set of one sample.
  public static func sample(_ sample: FieldSample) -> Set? {
    Element.sample(sample.omissible).map { [$0] }
  }
}

extension Dictionary: FieldValue where Key == String, Value: FieldValue {
  /// A dictionary.
  public static var fieldType: FieldType { .dictionary }

  /// A dictionary of the values.
  public static var fieldSchema: FieldSchema { .dictionary(of: Value.fieldSchema) }

  /// Reads all members.
  ///
  /// - Throws: ``MappingError`` with the errors of all members that failed, in
  ///   order, or with code `invalidValue` if two names have equal characters
  ///   but different bytes.
  public static func decode(
    from decoder: any FieldDecoder, at index: Int
  ) throws -> [String: Value] {
    try decode(from: decoder, at: index) { try Value.decode(from: $0, at: $1) }
  }

  /// Writes all members, sorted by name.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encode(to: encoder, at: index) { try $0.encode(to: $1, at: $2) }
  }

  /// A dictionary of one sample.
  public static func sample(_ sample: FieldSample) -> [String: Value]? {
    Value.sample(sample.omissible).map { ["sample": $0] }
  }
}

extension Array {
  /// Writes the elements with a function. An error gets the path of its
  /// element.
  @inline(__always)
  func encode(
    to encoder: any FieldEncoder, at index: Int,
    _ write: (Element, any FieldEncoder, Int) throws -> Void
  ) throws {
    try encoder.encodeArray(at: index, count: count) { encoder in
      var errors: [MappingError] = []
      // Iterators of generic arrays cost metadata lookups for each element.
      for position in 0..<count {
        do {
          try write(self[position], encoder, position)
        } catch {
          try encoder.collect(encoder.failure(error, at: position) { self[position] }, in: &errors)
        }
      }
      try errors.check()
    }
  }
}

extension Dictionary where Key == String {
  /// Reads the members with a function.
  @inline(__always)
  static func decode(
    from decoder: any FieldDecoder, at index: Int,
    _ read: (any FieldDecoder, Int) throws -> Value
  ) throws -> [String: Value] {
    let members = try decoder.dictionary(at: index)
    let values = try readAll(members.names.count) { try read(members.decoder, $0) }
    let dictionary = Dictionary(zip(members.names, values)) { $1 }
    // Documents distinguish names by their bytes. Swift strings with different
    // bytes can be equal.
    guard dictionary.count == members.names.count else {
      throw decoder.error(
        .invalidValue, at: index, expected: "names that are different characters",
        found: "equal names")
    }
    return dictionary
  }

  /// Writes the members with a function, sorted by name. An error gets the path
  /// of its member.
  @inline(__always)
  func encode(
    to encoder: any FieldEncoder, at index: Int,
    _ write: (Value, any FieldEncoder, Int) throws -> Void
  ) throws {
    let names = keys.sorted()
    try encoder.encodeDictionary(at: index, names: names) { encoder in
      var errors: [MappingError] = []
      for (position, name) in names.enumerated() {
        guard let value = self[name] else { continue }
        do {
          try write(value, encoder, position)
        } catch {
          try encoder.collect(encoder.failure(error, at: position) { value }, in: &errors)
        }
      }
      try errors.check()
    }
  }
}

/// Reads values in order, and throws the errors of all values that failed.
// Inlinable, so that nested arrays of numbers cost no metadata lookups for
// every number.
@inlinable
func readAll<Value>(
  _ count: Int, _ read: (Int) throws -> Value
) throws -> [Value] {
  var values: [Value] = []
  var errors: [MappingError] = []
  values.reserveCapacity(count)
  for position in 0..<count {
    do {
      values.append(try read(position))
    } catch let error as MappingError {
      errors.append(error)
    }
  }
  if !errors.isEmpty, let error = MappingError(errors) { throw error }
  return values
}
