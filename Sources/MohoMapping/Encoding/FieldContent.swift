public import Foundation

/// The value of a field in the neutral form that adapters exchange.
///
/// Two contents are equal if a store would store the same value; see
/// ``==(_:_:)``.
///
/// The contents that decoders and encoders make have at most 128 levels of models
/// and arrays. Comparing, hashing, describing and releasing contents is recursive,
/// so that contents which an app creates must not have many more levels.
public enum FieldContent: Sendable {
  /// No value.
  case null
  /// A Boolean value.
  case bool(Bool)
  /// An integer.
  case int64(Int64)
  /// An unsigned integer.
  case uint64(UInt64)
  /// A number.
  case double(Double)
  /// An exact decimal number.
  case decimal(Decimal)
  /// A string.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A date.
  case date(Date)
  /// The written fields of a nested model.
  case object([FieldContent])
  /// The elements of an array.
  case array([FieldContent])
  /// The members of a dictionary.
  case dictionary([String: FieldContent])
}

extension FieldContent {
  /// Whether the content contains other contents.
  package var hasStructure: Bool {
    switch self {
    case .object, .array, .dictionary: true
    default: false
    }
  }

  /// Whether the content precedes another one in a total order of all contents.
  /// Contents of the same case are ordered by value, and strings by their UTF-8
  /// bytes.
  package func precedes(_ other: FieldContent) -> Bool { order(other) == .orderedAscending }

  private func order(_ other: FieldContent) -> ComparisonResult {
    switch (self, other) {
    case (.bool(let one), .bool(let other)): Self.order(one ? 1 : 0, other ? 1 : 0)
    case (.int64(let one), .int64(let other)): Self.order(one, other)
    case (.uint64(let one), .uint64(let other)): Self.order(one, other)
    case (.double(let one), .double(let other)): Self.order(one, other)
    case (.decimal(let one), .decimal(let other)): Self.order(one, other)
    case (.date(let one), .date(let other)): Self.order(one, other)
    case (.string(let one), .string(let other)): Self.order(one.utf8, other.utf8)
    case (.data(let one), .data(let other)): Self.order(one, other)
    case (.object(let one), .object(let other)): Self.order(one, other)
    case (.array(let one), .array(let other)): Self.order(one, other)
    case (.dictionary(let one), .dictionary(let other)):
      Self.order(Self.sorted(one), Self.sorted(other))
    default: Self.order(rank, other.rank)
    }
  }

  private static func order<Value: Comparable>(
    _ one: Value, _ other: Value
  ) -> ComparisonResult {
    one < other ? .orderedAscending : one == other ? .orderedSame : .orderedDescending
  }

  private static func order(
    _ one: some Sequence<UInt8>, _ other: some Sequence<UInt8>
  ) -> ComparisonResult {
    if one.elementsEqual(other) { return .orderedSame }
    return one.lexicographicallyPrecedes(other) ? .orderedAscending : .orderedDescending
  }

  private static func order(_ one: [FieldContent], _ other: [FieldContent]) -> ComparisonResult {
    for (one, other) in zip(one, other) {
      let order = one.order(other)
      if order != .orderedSame { return order }
    }
    return order(one.count, other.count)
  }

  private static func sorted(_ members: [String: FieldContent]) -> [FieldContent] {
    members.sorted(byBytesOf: { $0.key })
      .map { .array([.string($0.key), $0.value]) }
  }

  var rank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int64: 2
    case .uint64: 3
    case .double: 4
    case .decimal: 5
    case .date: 6
    case .string: 7
    case .data: 8
    case .object: 9
    case .array: 10
    case .dictionary: 11
    }
  }
}

extension FieldContent: CustomStringConvertible {
  /// The value as messages show it: strings in quotes and cut at 80 characters,
  /// dates in ISO 8601 format, and data as its number of bytes.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .uint64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .string(let value): quoted(value)
    case .data(let value): "\(value.count) bytes"
    case .object(let fields): "\(fields)"
    case .array(let elements): "\(elements)"
    case .dictionary(let members):
      "[\(members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)): \($0.value)" }.joined(separator: ", "))]"
    case .date(let value): ISO8601.text(value) ?? "\(value.timeIntervalSince1970) since 1970"
    }
  }
}

extension FieldContent {
  /// The kind of the value and the value, such as `string "12a"`, as errors of
  /// documents, rows and contexts show the value that was found.
  /// The value is cut at 80 characters and escaped. Decoders of formats use it
  /// for ``FieldDescription/found``.
  public var summary: String {
    switch self {
    case .null, .bool: description
    case .int64, .uint64, .double, .decimal: "number \(self)"
    case .string: "string \(self)"
    case .data: "data of \(self)"
    case .date: "date \(self)"
    case .object, .dictionary: "object"
    case .array: "array"
    }
  }
}

extension Mapping {
  /// Returns what a key writes for a value.
  ///
  /// - Parameter path: The path of the object, for errors, or nil if there is
  ///   none.
  /// - Throws: ``MappingError`` if the value does not have the type of the key
  ///   or cannot be written.
  package func content(
    of value: Any, forKeyAt index: Int, path: FieldPath? = nil
  ) throws -> FieldContent {
    let recorder = FieldRecorder(keys: fieldKeys, path: path)
    do {
      guard let box = fields[index].box(value) else {
        throw MappingError(
          .invalidType, found: "\(type(of: value))", expected: "\(keys[index].type)")
      }
      try fields[index].writeValue(box, recorder, index)
    } catch {
      throw fieldKeys.failure(error, at: index, of: recorder) { value }
    }
    return recorder.contents.first ?? .null
  }

  /// Returns what a key writes for its default, or nil if it has none.
  package func defaultContent(at index: Int) -> FieldContent? {
    fields[index].defaultValue.flatMap { content(of: $0, at: index) }
  }

  /// Returns what a key writes for a boxed value, or nil if it cannot be
  /// written.
  func content(of box: any AnyValueBox, at index: Int) -> FieldContent? {
    let recorder = FieldRecorder()
    try? fields[index].writeValue(box, recorder, index)
    return recorder.contents.first
  }
}
