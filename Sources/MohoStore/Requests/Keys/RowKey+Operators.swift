public import MohoMapping

extension RowKey {
  /// Whether the key's value equals a value.
  public static func == (key: Self, value: some FieldValue) -> Filter {
    .comparison(key.operand, .equal, .value(value))
  }

  /// Whether the key's value differs from a value.
  public static func != (key: Self, value: some FieldValue) -> Filter {
    .comparison(key.operand, .notEqual, .value(value))
  }

  /// Whether the key's value is smaller than a value.
  public static func < (key: Self, value: some FieldValue) -> Filter {
    .comparison(key.operand, .less, .value(value))
  }

  /// Whether the key's value is smaller than a value or equal to it.
  public static func <= (key: Self, value: some FieldValue) -> Filter {
    .comparison(key.operand, .lessOrEqual, .value(value))
  }

  /// Whether the key's value is greater than a value.
  public static func > (key: Self, value: some FieldValue) -> Filter {
    .comparison(key.operand, .greater, .value(value))
  }

  /// Whether the key's value is greater than a value or equal to it.
  public static func >= (key: Self, value: some FieldValue) -> Filter {
    .comparison(key.operand, .greaterOrEqual, .value(value))
  }
}

extension RowKey {
  /// Whether the values of two keys are equal, or both nil.
  public static func == (key: Self, other: RowKey) -> Filter {
    .comparison(key.operand, .equal, other.operand)
  }

  /// Whether the values of two keys differ.
  public static func != (key: Self, other: RowKey) -> Filter {
    .comparison(key.operand, .notEqual, other.operand)
  }

  /// Whether the first of two values is smaller.
  public static func < (key: Self, other: RowKey) -> Filter {
    .comparison(key.operand, .less, other.operand)
  }

  /// Whether the first of two values is smaller or equal.
  public static func <= (key: Self, other: RowKey) -> Filter {
    .comparison(key.operand, .lessOrEqual, other.operand)
  }

  /// Whether the first of two values is greater.
  public static func > (key: Self, other: RowKey) -> Filter {
    .comparison(key.operand, .greater, other.operand)
  }

  /// Whether the first of two values is greater or equal.
  public static func >= (key: Self, other: RowKey) -> Filter {
    .comparison(key.operand, .greaterOrEqual, other.operand)
  }
}

extension RowKey {
  /// Whether the key's value is a content, such as nil.
  public static func == (key: Self, content: FieldContent?) -> Filter {
    .comparison(key.operand, .equal, .constant(content ?? .null))
  }

  /// Whether the key's value is not a content, such as nil.
  public static func != (key: Self, content: FieldContent?) -> Filter {
    .comparison(key.operand, .notEqual, .constant(content ?? .null))
  }

  /// Whether the key's value is false.
  public static prefix func ! (key: Self) -> Filter { key == false }
}

/// Calculations; see ``Operand`` for their rules.
extension RowKey {
  /// The sum of two keys, or nil.
  public static func + (left: Self, right: RowKey) -> RowKey {
    RowKey(.arithmetic(left.operand, .add, right.operand))
  }

  /// The sum of a key and a number, or nil.
  public static func + (left: Self, right: some FieldValue) -> RowKey {
    RowKey(.arithmetic(left.operand, .add, .value(right)))
  }

  /// The difference of two keys, or nil.
  public static func - (left: Self, right: RowKey) -> RowKey {
    RowKey(.arithmetic(left.operand, .subtract, right.operand))
  }

  /// The difference of a key and a number, or nil.
  public static func - (left: Self, right: some FieldValue) -> RowKey {
    RowKey(.arithmetic(left.operand, .subtract, .value(right)))
  }

  /// The difference of a number and a key, or nil.
  public static func - (left: some FieldValue, right: Self) -> RowKey {
    RowKey(.arithmetic(.value(left), .subtract, right.operand))
  }

  /// The product of two keys, or nil.
  public static func * (left: Self, right: RowKey) -> RowKey {
    RowKey(.arithmetic(left.operand, .multiply, right.operand))
  }

  /// The product of a key and a number, or nil.
  public static func * (left: Self, right: some FieldValue) -> RowKey {
    RowKey(.arithmetic(left.operand, .multiply, .value(right)))
  }

  /// The quotient of two keys, or nil.
  public static func / (left: Self, right: RowKey) -> RowKey {
    RowKey(.arithmetic(left.operand, .divide, right.operand))
  }

  /// The quotient of a key and a number, or nil.
  public static func / (left: Self, right: some FieldValue) -> RowKey {
    RowKey(.arithmetic(left.operand, .divide, .value(right)))
  }

  /// The quotient of a number and a key, or nil.
  public static func / (left: some FieldValue, right: Self) -> RowKey {
    RowKey(.arithmetic(.value(left), .divide, right.operand))
  }
}
