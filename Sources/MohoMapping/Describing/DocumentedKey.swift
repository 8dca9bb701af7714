import Foundation

/// How documents contain a key: its path, the format of dates, and whether text is JSON.
package struct DocumentedKey: Sendable, Hashable {
  private enum Location: Hashable, Sendable {
    case path(FieldPath)
    /// The members of the value are members of the object.
    case inlined
    /// Documents do not contain the key.
    case nowhere
  }

  private let location: Location
  private let dateFormat: String?
  /// Whether a stored text is the JSON that documents contain.
  private let isJSON: Bool

  /// The form of a key without a record: its name is the path.
  package init(named name: String) { self.init(.path(FieldPath([.key(name)])), nil) }

  private init(_ location: Location, _ format: String?) {
    self.location = location
    isJSON = format == Self.json
    dateFormat = isJSON ? nil : format
  }

  fileprivate init<Model>(_ key: FieldKey, _ field: MappedField<Model>) {
    let name = field.schema.dateFormat?.name
    let isJSON = field.samples.type is any AnyJSON.Type && field.schema.isAnyJSON
    self.init(
      key.isInlined ? .inlined : key.source.map { .path($0) } ?? .nowhere,
      isJSON ? Self.json : name == DateFormat.iso8601.name ? nil : name)
  }

  /// Creates the form that a text describes.
  package init(text: String) {
    let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard let path = parts.first, !path.isEmpty else {
      self.init(text == Self.inlined ? .inlined : .nowhere, nil)
      return
    }
    self.init(.path(FieldPath(stringLiteral: path)), parts.count > 1 ? parts[1] : nil)
  }

  private static let inlined = "\ninlined"
  private static let json = "json"

  /// The form as text.
  package var text: String {
    switch location {
    case .path(let path):
      path.description + ((isJSON ? Self.json : dateFormat).map { "\n\($0)" } ?? "")
    case .inlined: Self.inlined
    case .nowhere: "\n"
    }
  }

  /// Returns a JSON object with a stored value. Nil if the value cannot be written
  /// as documents contain it, or if documents do not contain the key.
  ///
  /// - Parameters:
  ///   - content: The value, as migration steps exchange it.
  ///   - form: The recorded form of the column.
  package func document(_ content: FieldContent, _ form: ValueForm) -> String? {
    switch location {
    case .nowhere: return nil
    case .inlined:
      guard case .string(let text) = content else { return nil }
      return (try? JSONTree(text)).flatMap { try? $0.text() }
    case .path(let path):
      guard path.elementPath == nil, path.problem == nil else { return nil }
      let keys = FieldKeys(unknown: [("value", path)], of: "")
      return try? StructuredText.text(at: FieldPath([])) { encoder in
        try encoder.encodeObject(at: 0, keys: keys) { encoder in
          let isEncoded =
            if isJSON, case .string(let text) = content {
              try encode(any: text, to: encoder)
            } else {
              try encode(content, form, to: encoder)
            }
          guard isEncoded else {
            throw MappingError(.unsupported, path: path)
          }
        }
      }
    }
  }

  /// - Returns: False if the value cannot be written.
  private func encode(
    _ content: FieldContent, _ form: ValueForm, to encoder: any FieldEncoder
  ) throws -> Bool {
    switch (form, content) {
    case (.optional(let form), _): return try encode(content, form, to: encoder)
    case (.anyOf(let forms), _):
      for form in forms where try encode(content, form, to: encoder) { return true }
      return false
    case (.array, .string(let text)), (.dictionary, .string(let text)), (.model, .string(let text)),
      (.cluster, .string(let text)):
      return try encode(json: text, to: encoder)
    case (.array, _), (.dictionary, _), (.model, _), (.cluster, _): return false
    // Only columns with structure have the form `custom`.
    case (.plain(let name), .string(let text)) where name == "custom" || name.hasPrefix("codable "):
      return try encode(json: text, to: encoder)
    case (.plain("any"), .string(let text)): return try encode(any: text, to: encoder)
    case (.plain("boolean"), .int64(let value)): try encoder.encode(value != 0, at: 0)
    case (.plain("decimal"), .string(let text)):
      guard let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
        return false
      }
      try encoder.encode(value, at: 0)
    case (.plain("date"), .double(let seconds)):
      guard let format = DateFormat(named: dateFormat ?? DateFormat.iso8601.name) else {
        return false
      }
      try encoder.encode(Date(timeIntervalSinceReferenceDate: seconds), format, at: 0)
    case (_, .bool(let value)): try encoder.encode(value, at: 0)
    case (_, .int64(let value)): try encoder.encode(value, at: 0)
    case (_, .uint64(let value)): try encoder.encode(value, at: 0)
    case (_, .double(let value)): try encoder.encode(value, at: 0)
    case (_, .decimal(let value)): try encoder.encode(value, at: 0)
    case (_, .string(let value)): try encoder.encode(value, at: 0)
    case (_, .data(let value)): try encoder.encode(value, at: 0)
    default: return false
    }
    return true
  }

  /// Encodes any JSON, with its order of members.
  private func encode(any text: String, to encoder: any FieldEncoder) throws -> Bool {
    let tree = try? JSONTree(text)
    switch tree {
    case nil: return false
    case .object?, .array?: try encoder.encode(codable: JSONTree.preserved(text), at: 0)
    case let scalar?: try encoder.encode(codable: scalar, at: 0)
    }
    return true
  }

  private func encode(json text: String, to encoder: any FieldEncoder) throws -> Bool {
    guard let tree = try? JSONTree(text) else { return false }
    try encoder.encode(codable: tree, at: 0)
    return true
  }
}

extension DateFormat {
  /// The format with a name. Nil for patterns.
  fileprivate init?(named name: String) {
    let formats: [DateFormat] = [.iso8601, .iso8601Date, .epochSeconds, .epochMilliseconds]
    // Dates are written in the first of several formats.
    let prefix = "oneOf["
    let first =
      name.hasPrefix(prefix)
      ? name.dropFirst(prefix.count).prefix { $0 != "," && $0 != "]" } : name[...]
    guard let format = formats.first(where: { $0.name == first }) else { return nil }
    self = format
  }
}

extension Mapping {
  /// How documents contain the stored keys, by name: those that differ from a key
  /// at its name with dates in ISO 8601 format.
  package var documentedKeys: [String: DocumentedKey] {
    var documented: [String: DocumentedKey] = [:]
    for (key, field) in zip(keys, fields) where key.isStored && key.relation == nil {
      guard !key.receivesUnknownMembers else { continue }
      let form = DocumentedKey(key, field)
      if form != DocumentedKey(named: key.name) { documented[key.name] = form }
    }
    return documented
  }
}

extension FieldSchema {
  fileprivate var isAnyJSON: Bool {
    switch form {
    case .any(let comment): comment == nil
    case .optional(let schema): schema.isAnyJSON
    default: false
    }
  }

  fileprivate var dateFormat: DateFormat? {
    switch form {
    case .date(let format): format
    case .optional(let schema): schema.dateFormat
    case .anyOf(let schemas): schemas.lazy.compactMap(\.dateFormat).first
    default: nil
    }
  }
}
