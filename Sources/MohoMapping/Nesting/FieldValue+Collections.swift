extension Array: FieldValue where Element: FieldValue {
  /// Several values in order.
  public static var fieldType: FieldType { .array }

  /// Those of the elements, in order.
  public static var relatedModels: RelatedModels? {
    Element.relatedModels?.many(isOrdered: true)
  }

  /// Reads every element.
  ///
  /// - Throws: ``MappingError`` with all elements that failed, in order.
  @inlinable
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> [Element] {
    let elements = try decoder.array(at: index)
    return try readAll(elements.count) { position in
      try Element.decode(from: elements.decoder, at: position)
    }
  }

  /// Writes every element.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encodeArray(at: index, count: count) { encoder in
      for (position, element) in enumerated() {
        do {
          try element.encode(to: encoder, at: position)
        } catch {
          throw encoder.failure(error, at: position) { element }
        }
      }
    }
  }

  /// An array of one sample.
  public static func sample(_ sample: FieldSample) -> [Element]? {
    Element.sample(sample.omissible).map { [$0] }
  }
}

extension Set: FieldValue where Element: FieldValue {
  /// Several values in order.
  public static var fieldType: FieldType { .array }

  /// Those of the elements, in no order.
  public static var relatedModels: RelatedModels? {
    Element.relatedModels?.many(isOrdered: false)
  }

  /// Reads every element; equal ones are one.
  ///
  /// - Throws: ``MappingError`` with all elements that failed, in order.
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Set {
    Set(try [Element].decode(from: decoder, at: index))
  }

  /// Writes every element, in an order that depends on nothing but them: equal
  /// sets are written equal.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
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
  /// Values by name.
  public static var fieldType: FieldType { .dictionary }

  /// Reads every member.
  ///
  /// - Throws: ``MappingError`` with all members that failed, in their order, or
  ///   of code `invalidValue` where two names are the same characters in
  ///   different bytes.
  public static func decode(
    from decoder: any FieldDecoder, at index: Int
  ) throws -> [String: Value] {
    let members = try decoder.dictionary(at: index)
    let values = try readAll(members.names.count) { position in
      try Value.decode(from: members.decoder, at: position)
    }
    let dictionary = Dictionary(zip(members.names, values)) { $1 }
    // Documents tell names apart by their bytes.
    guard dictionary.count == members.names.count else {
      throw decoder.error(
        .invalidValue, at: index, expected: "names that are different characters",
        found: "equal names")
    }
    return dictionary
  }

  /// Writes every member, by ascending name.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    let members = sorted { $0.key < $1.key }
    try encoder.encodeDictionary(at: index, names: members.map(\.key)) { encoder in
      for (position, member) in members.enumerated() {
        do {
          try member.value.encode(to: encoder, at: position)
        } catch {
          throw encoder.failure(error, at: position) { member.value }
        }
      }
    }
  }

  /// A dictionary of one sample.
  public static func sample(_ sample: FieldSample) -> [String: Value]? {
    Value.sample(sample.omissible).map { ["sample": $0] }
  }
}

/// Reads values one after the other, and then throws the errors of all that
/// failed.
// Inlinable, so that arrays of arrays of numbers cost no metadata look-ups on
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
