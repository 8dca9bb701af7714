extension Transform where Value: RawRepresentable, Value.RawValue: FieldValue {
  /// A raw value. An unknown raw value is read as `unknown` and lost: it is
  /// written as the raw value of `unknown`. To preserve unknown raw values, use
  /// ``OpenEnum``.
  ///
  /// A raw value of another type is an error.
  public static func rawValue(unknown: Value) -> Transform<Value> {
    Transform<Value.RawValue>.standard.map(
      to: { Value(rawValue: $0) ?? unknown }, from: { $0.rawValue }
    ).sampled { sample in
      (Value.self as? any FieldValue.Type)?.sample(sample) as? Value
    }
  }
}

extension Transform where Value: Hashable {
  /// Values with a table of their representations.
  ///
  /// ```swift
  /// .key("kind", \.kind, Transform<Kind>.table(["free": .free, "subscriber": .paid]))
  /// ```
  ///
  /// An unknown representation is read as `unknown`. Without `unknown`, it is
  /// an error that lists the known representations. A representation of another
  /// type is always an error. A value that is not in the table is written as
  /// `unlisted`, or as null if it equals `null`.
  ///
  /// These are mistakes in the declaration: an empty table, a duplicate
  /// representation or value, and a value of `unknown` that cannot be written.
  ///
  /// - Parameters:
  ///   - entries: The representations and their values.
  ///   - unknown: The value for unknown representations. Without it, they are
  ///     an error.
  ///   - null: The value for null and absence. Without it, they are an error
  ///     unless the key is optional.
  ///   - unlisted: The representation of values that are not in the table.
  ///     Without it, they are an error.
  /// - Complexity: O(1) on average.
  public static func table<Representation: FieldValue & Hashable>(
    _ entries: KeyValuePairs<Representation, Value>,
    unknown: Value? = nil,
    null: Value? = nil,
    unlisted: Representation? = nil
  ) -> Transform<Value> {
    let table = ValueTable(Array(entries), unknown: unknown, null: null, unlisted: unlisted)
    return Transform(
      type: Representation.fieldType,
      isOptional: null != nil,
      problems: table.problems,
      schema: table.schema,
      read: { try table.read($0, $1) },
      write: { try table.write($0, $1, $2) },
      sample: { table.sample($0) })
  }
}

/// A bidirectional map of values and representations.
private struct ValueTable<Representation: FieldValue & Hashable, Value: Hashable & Sendable> {
  private let entries: [(key: Representation, value: Value)]
  private let values: [Representation: Value]
  private let representations: [Value: Representation]
  private let unknown: Value?
  private let null: Value?
  private let unlisted: Representation?

  init(
    _ entries: [(key: Representation, value: Value)], unknown: Value?, null: Value?,
    unlisted: Representation?
  ) {
    self.entries = entries
    self.unknown = unknown
    self.null = null
    self.unlisted = unlisted
    values = Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
    representations = Dictionary(entries.map { ($0.value, $0.key) }) { first, _ in first }
  }

  var schema: FieldSchema {
    let known: FieldSchema =
      unknown == nil ? .one(of: entries.map(\.key)) : Representation.fieldSchema
    return null == nil ? known : known.optional
  }

  var problems: [String] {
    var problems: [String] = []
    if entries.isEmpty { problems.append("the table is empty") }
    problems += repeated(entries.map(\.key)).map { "the table has \(shown($0)) twice" }
    problems += repeated(entries.map(\.value)).map { "the table has the value `\($0)` twice" }
    if let unknown, !isWritten(unknown) {
      problems.append("`\(unknown)`, the value for unknown representations, cannot be written")
    }
    return problems
  }

  func read(_ decoder: any FieldDecoder, _ index: Int) throws -> Value {
    if let null, try decoder.isNull(at: index) { return null }
    let representation = try Representation.decode(from: decoder, at: index)
    guard let value = values[representation] ?? unknown else {
      throw decoder.error(.invalidValue, at: index, expected: expectation)
    }
    return value
  }

  func write(_ value: Value, _ encoder: any FieldEncoder, _ index: Int) throws {
    if let representation = representations[value] {
      try representation.encode(to: encoder, at: index)
    } else if value == null {
      try encoder.encodeNull(at: index)
    } else if let unlisted {
      try unlisted.encode(to: encoder, at: index)
    } else {
      throw encoder.error(
        .invalidValue, at: index,
        expected: "one of " + entries.map { "`\($0.value)`" }.joined(separator: ", "),
        found: "`\(value)`")
    }
  }

  func sample(_ sample: FieldSample) -> Value? {
    sample.element(of: entries)?.value
  }

  private var expectation: String {
    "one of " + entries.map { shown($0.key) }.joined(separator: ", ")
  }

  private func isWritten(_ value: Value) -> Bool {
    representations[value] != nil || value == null || unlisted != nil
  }

  private func shown(_ representation: Representation) -> String {
    (try? FieldRecorder.content(of: representation).description) ?? "\(representation)"
  }

  private func repeated<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var seen: Set<Element> = []
    var reported: Set<Element> = []
    return elements.filter { !seen.insert($0).inserted && reported.insert($0).inserted }
  }
}
