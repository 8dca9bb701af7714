public import MohoMapping

extension RowKey {
  /// A filter that matches rows where the key equals a value.
  public static func == (key: Self, value: some FieldValue) -> Filter {
    .comparison(key.operand, .equal, .value(value))
  }

  /// A filter that matches rows where the key does not equal a value.
  public static func != (key: Self, value: some FieldValue) -> Filter {
    .comparison(key.operand, .notEqual, .value(value))
  }

  /// A filter that matches rows where the key is less than a value.
  public static func < (key: Self, value: some FieldValue) -> Filter {
    .comparison(key.operand, .less, .value(value))
  }

  /// A filter that matches rows where the key is less than or equal to a value.
  public static func <= (key: Self, value: some FieldValue) -> Filter {
    .comparison(key.operand, .lessOrEqual, .value(value))
  }

  /// A filter that matches rows where the key is greater than a value.
  public static func > (key: Self, value: some FieldValue) -> Filter {
    .comparison(key.operand, .greater, .value(value))
  }

  /// A filter that matches rows where the key is greater than or equal to a
  /// value.
  public static func >= (key: Self, value: some FieldValue) -> Filter {
    .comparison(key.operand, .greaterOrEqual, .value(value))
  }
}

extension RowKey {
  /// A filter that matches rows where both keys are equal or both are nil.
  public static func == (key: Self, other: RowKey) -> Filter {
    .comparison(key.operand, .equal, other.operand)
  }

  /// A filter that matches rows where the keys differ.
  public static func != (key: Self, other: RowKey) -> Filter {
    .comparison(key.operand, .notEqual, other.operand)
  }

  /// A filter that matches rows where the first key is less than the second
  /// one.
  public static func < (key: Self, other: RowKey) -> Filter {
    .comparison(key.operand, .less, other.operand)
  }

  /// A filter that matches rows where the first key is less than or equal to
  /// the second one.
  public static func <= (key: Self, other: RowKey) -> Filter {
    .comparison(key.operand, .lessOrEqual, other.operand)
  }

  /// A filter that matches rows where the first key is greater than the second
  /// one.
  public static func > (key: Self, other: RowKey) -> Filter {
    .comparison(key.operand, .greater, other.operand)
  }

  /// A filter that matches rows where the first key is greater than or equal to
  /// the second one.
  public static func >= (key: Self, other: RowKey) -> Filter {
    .comparison(key.operand, .greaterOrEqual, other.operand)
  }
}

extension RowKey {
  /// A filter that matches rows where the key equals a content. Nil equals nil.
  public static func == (key: Self, content: FieldContent?) -> Filter {
    .comparison(key.operand, .equal, .constant(content ?? .null))
  }

  /// A filter that matches rows where the key does not equal a content.
  public static func != (key: Self, content: FieldContent?) -> Filter {
    .comparison(key.operand, .notEqual, .constant(content ?? .null))
  }

  /// A filter that matches rows where the key is false.
  public static prefix func ! (key: Self) -> Filter { key == false }
}

/// Arithmetic operators. ``Operand`` describes their rules.
extension RowKey {
  /// The sum of two keys.
  public static func + (left: Self, right: RowKey) -> RowKey {
    RowKey(.arithmetic(left.operand, .add, right.operand))
  }

  /// The sum of a key and a number.
  public static func + (left: Self, right: some FieldValue) -> RowKey {
    RowKey(.arithmetic(left.operand, .add, .value(right)))
  }

  /// The difference of two keys.
  public static func - (left: Self, right: RowKey) -> RowKey {
    RowKey(.arithmetic(left.operand, .subtract, right.operand))
  }

  /// The difference of a key and a number.
  public static func - (left: Self, right: some FieldValue) -> RowKey {
    RowKey(.arithmetic(left.operand, .subtract, .value(right)))
  }

  /// The difference of a number and a key.
  public static func - (left: some FieldValue, right: Self) -> RowKey {
    RowKey(.arithmetic(.value(left), .subtract, right.operand))
  }

  /// The product of two keys.
  public static func * (left: Self, right: RowKey) -> RowKey {
    RowKey(.arithmetic(left.operand, .multiply, right.operand))
  }

  /// The product of a key and a number.
  public static func * (left: Self, right: some FieldValue) -> RowKey {
    RowKey(.arithmetic(left.operand, .multiply, .value(right)))
  }

  /// The quotient of two keys. Nil if the divisor is zero.
  public static func / (left: Self, right: RowKey) -> RowKey {
    RowKey(.arithmetic(left.operand, .divide, right.operand))
  }

  /// The quotient of a key and a number. Nil if the number is zero.
  public static func / (left: Self, right: some FieldValue) -> RowKey {
    RowKey(.arithmetic(left.operand, .divide, .value(right)))
  }

  /// The quotient of a number and a key. Nil if the key is zero.
  public static func / (left: some FieldValue, right: Self) -> RowKey {
    RowKey(.arithmetic(.value(left), .divide, right.operand))
  }
}
