import Foundation

/// The path from a nested model to the value of one of its keys, in the text that stores
/// contain.
package struct NestedPath: Hashable, Sendable {
  /// A key whose value is at the first of some paths that exists.
  package struct Member: Hashable, Sendable {
    package let paths: [FieldPath]
    /// Whether null is read as a missing value.
    package let nullIsAbsent: Bool
  }

  /// A step into a value.
  package enum Step: Hashable, Sendable {
    /// The step to the value of a key.
    case member(Member)
    /// The step to a model that is inlined in the same object. It is absent if all of its
    /// keys are.
    case inlined([Member])
  }

  /// The form of the value, which is that of a column of the same type.
  package enum Form: Hashable, Sendable {
    case boolean, integer, unsigned, double, decimal, string, uuid, data
    case date(DateFormat)
    /// A value of any other form. Its content only tells whether there is a value.
    case structured
  }

  /// The result of following a path.
  package enum Finding {
    /// The content of the value. Null if there is no value, or if it has another form.
    case content(FieldContent)
    /// The value at a step is absent.
    case absent(step: Int)
  }

  package let steps: [Step]
  package let form: Form

  /// Follows the path in the text of a nested model.
  package func find(in text: UnsafeBufferPointer<UInt8>) -> Finding {
    guard var value = StoredJSON(text) else { return .content(.null) }
    for (index, step) in steps.enumerated() {
      guard value.isObject else { return .content(.null) }
      switch step {
      case .inlined(let members):
        if members.allSatisfy({ $0.isAbsent(in: value) }) { return .absent(step: index) }
      case .member(let member):
        guard let found = member.value(in: value) else { return .absent(step: index) }
        if found.isNull, member.nullIsAbsent { return .absent(step: index) }
        value = found
      }
    }
    return .content(form.content(of: value))
  }
}

extension NestedPath.Member {
  fileprivate func value(in object: StoredJSON) -> StoredJSON? {
    paths.lazy.compactMap { object.value(at: $0) }.first
  }

  fileprivate func isAbsent(in object: StoredJSON) -> Bool {
    guard let value = value(in: object) else { return true }
    return nullIsAbsent && value.isNull
  }
}

extension NestedPath.Form {
  /// The content of a value in JSON. Unsigned integers are decimals, because columns of
  /// integers are signed. Null if the value has another form.
  package func content(ofJSON text: String) -> FieldContent {
    var text = text
    return text.withUTF8 { StoredJSON($0).map { content(of: $0) } ?? .null }
  }

  fileprivate func content(of value: StoredJSON) -> FieldContent {
    let content: FieldContent? =
      switch self {
      case .boolean: value.bool.map { .bool($0) }
      case .integer: value.integer.map { .int64($0) }
      case .unsigned: value.unsigned.map { .decimal(Decimal($0)) }
      case .double: value.double.map { .double($0) }
      case .decimal: value.decimal.map { .decimal($0) }
      case .string: value.string.map { .string($0) }
      case .uuid: value.string.flatMap { UUID(uuidString: $0) }.map { .string($0.uuidString) }
      case .data: value.string.flatMap { Data(base64Encoded: $0) }.map { .data($0) }
      case .date(let format): format.date(value).map { .date($0) }
      case .structured: value.isNull ? nil : .bool(true)
      }
    return content ?? .null
  }

  /// The JSON of a content that a key writes. Nil if the content is null, or if JSON
  /// cannot represent it.
  func json(of content: FieldContent) -> String? {
    if case .null = content { return nil }
    if case .structured = self { return "{}" }
    return try? StructuredText.text(at: FieldPath([])) { encoder in
      switch (content, self) {
      case (.bool(let value), _): try encoder.encode(value, at: 0)
      case (.int64(let value), _): try encoder.encode(value, at: 0)
      case (.uint64(let value), _): try encoder.encode(value, at: 0)
      case (.double(let value), _): try encoder.encode(value, at: 0)
      case (.decimal(let value), _): try encoder.encode(value, at: 0)
      case (.string(let value), _): try encoder.encode(value, at: 0)
      case (.data(let value), _): try encoder.encode(value, at: 0)
      case (.date(let value), .date(let format)): try encoder.encode(value, format, at: 0)
      case (.null, _), (.date, _), (.object, _), (.array, _), (.dictionary, _):
        try encoder.encodeNull(at: 0)
      }
    }
  }

  /// Returns a content of a key as it is read from text that contains it: a date has the
  /// precision of its format.
  package func stored(_ content: FieldContent) -> FieldContent {
    guard let text = json(of: content), case let stored = self.content(ofJSON: text),
      stored != .null
    else { return content }
    return stored
  }
}

extension DateFormat {
  fileprivate func date(_ value: StoredJSON) -> Date? {
    if holdsText, let text = value.string { return date(text) }
    return holdsNumbers ? value.double.flatMap { date($0) } : nil
  }
}
