public import MohoMapping

/// The keys of a model, by its properties, for the conditions of a request.
@dynamicMemberLookup
public struct ModelKeys<Model: MappedModel>: Sendable {
  /// The key that a property is mapped to.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Model, Value>) -> ModelKey<Value> {
    let index = Model.mapping.index(of: keyPath)
    return ModelKey(name: KeyName(keyPath, of: Model.self)) { value in
      try index.map { try Model.mapping.content(of: value, forKeyAt: $0) } ?? .null
    }
  }
}

/// A key of a model in a condition.
public struct ModelKey<Value>: Sendable {
  let name: KeyName
  /// What the key writes for a value.
  let content: @Sendable (Any) throws -> FieldContent

  private func filter<Operand: FieldValue>(
    _ operand: Operand, _ condition: (FieldContent) -> Filter
  ) -> Filter {
    do {
      return condition(try content(operand))
    } catch {
      return .invalid("\(error)")
    }
  }

  fileprivate func comparison<Operand: FieldValue>(
    _ comparison: Filter.Comparison, _ operand: Operand
  ) -> Filter {
    filter(operand) { .comparison(name, comparison, $0) }
  }

  fileprivate func membership<Operand: FieldValue>(in operands: some Sequence<Operand>) -> Filter {
    var contents: [FieldContent] = []
    for operand in operands {
      switch filter(operand, { .oneOf(name, [$0]) }) {
      case .oneOf(_, let content): contents += content
      case let invalid: return invalid
      }
    }
    return .oneOf(name, contents)
  }
}

extension ModelKey where Value: FieldValue {
  /// Whether the key's value equals a value.
  public static func == (key: Self, value: Value) -> Filter { key.comparison(.equal, value) }

  /// Whether the key's value differs from a value.
  public static func != (key: Self, value: Value) -> Filter { key.comparison(.notEqual, value) }

  /// Whether the key's value is one of several.
  public func isOne(of values: some Sequence<Value>) -> Filter { membership(in: values) }
}

extension ModelKey where Value: FieldValue & Comparable {
  /// Whether the key's value is smaller than a value.
  public static func < (key: Self, value: Value) -> Filter { key.comparison(.less, value) }

  /// Whether the key's value is smaller than a value or equal to it.
  public static func <= (key: Self, value: Value) -> Filter { key.comparison(.lessOrEqual, value) }

  /// Whether the key's value is greater than a value.
  public static func > (key: Self, value: Value) -> Filter { key.comparison(.greater, value) }

  /// Whether the key's value is greater than a value or equal to it.
  public static func >= (key: Self, value: Value) -> Filter {
    key.comparison(.greaterOrEqual, value)
  }
}

extension ModelKey {
  /// Whether there is a value and it is smaller than a value.
  public static func < <Wrapped: FieldValue & Comparable>(key: Self, value: Wrapped) -> Filter
  where Value == Wrapped? { key.comparison(.less, value) }

  /// Whether there is a value and it is smaller than a value or equal to it.
  public static func <= <Wrapped: FieldValue & Comparable>(key: Self, value: Wrapped) -> Filter
  where Value == Wrapped? { key.comparison(.lessOrEqual, value) }

  /// Whether there is a value and it is greater than a value.
  public static func > <Wrapped: FieldValue & Comparable>(key: Self, value: Wrapped) -> Filter
  where Value == Wrapped? { key.comparison(.greater, value) }

  /// Whether there is a value and it is greater than a value or equal to it.
  public static func >= <Wrapped: FieldValue & Comparable>(key: Self, value: Wrapped) -> Filter
  where Value == Wrapped? { key.comparison(.greaterOrEqual, value) }
}

extension ModelKey where Value == Bool {
  /// Whether the key's value is false.
  public static prefix func ! (key: Self) -> Filter { key.comparison(.equal, false) }
}

extension ModelKey where Value: TextValue {
  /// Whether the key's text contains a text; the empty text is in each.
  public func contains(_ text: String, _ options: TextMatch.Options = []) -> Filter {
    .text(name, TextMatch(.contains, text, options))
  }

  /// Whether the key's text begins with a text.
  public func hasPrefix(_ text: String, _ options: TextMatch.Options = []) -> Filter {
    .text(name, TextMatch(.hasPrefix, text, options))
  }

  /// Whether the key's text ends with a text.
  public func hasSuffix(_ text: String, _ options: TextMatch.Options = []) -> Filter {
    .text(name, TextMatch(.hasSuffix, text, options))
  }

  /// Whether the key's text equals a text but for what the options leave out
  /// of account.
  public func equals(_ text: String, _ options: TextMatch.Options) -> Filter {
    .text(name, TextMatch(.equals, text, options))
  }
}

/// `String` and `String?`, the types of keys that hold text.
public protocol TextValue {}
extension String: TextValue {}
extension String?: TextValue {}
