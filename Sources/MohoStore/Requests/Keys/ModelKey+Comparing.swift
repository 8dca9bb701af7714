public import MohoMapping

extension ModelKey where Value: FieldValue {
  /// Whether the key's value equals a value.
  public static func == (key: Self, value: Value) -> Filter { key.comparison(.equal, value) }

  /// Whether the key's value differs from a value.
  public static func != (key: Self, value: Value) -> Filter { key.comparison(.notEqual, value) }

  /// Whether the key's value is one of several.
  public func isOne(of values: some Sequence<Value>) -> Filter {
    var contents: [FieldContent] = []
    for value in values {
      switch constant(value).kind {
      case .constant(let content): contents.append(content)
      case .invalid(let reason): return .invalid(reason)
      case .key, .arithmetic, .count: break
      }
    }
    return .oneOf(operand, contents)
  }
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

  /// Whether the key's value lies in a range.
  public func isBetween(_ range: ClosedRange<Value>) -> Filter { lies(in: range) }

  /// Whether the key's value lies in a range, whose upper bound is not part of
  /// it.
  public func isBetween(_ range: Range<Value>) -> Filter { lies(in: range) }
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

  /// Whether there is a value and it lies in a range.
  public func isBetween<Wrapped: FieldValue & Comparable>(
    _ range: ClosedRange<Wrapped>
  ) -> Filter where Value == Wrapped? { lies(in: range) }

  /// Whether there is a value and it lies in a range, whose upper bound is not
  /// part of it.
  public func isBetween<Wrapped: FieldValue & Comparable>(
    _ range: Range<Wrapped>
  ) -> Filter where Value == Wrapped? { lies(in: range) }
}

/// Comparisons of two keys. That their values can be compared is looked at when
/// the request is carried out: an error names the two.
extension ModelKey {
  /// Whether the values of two keys are equal, or both nil.
  public static func == <Other>(key: Self, other: ModelKey<Other>) -> Filter {
    .comparison(key.operand, .equal, other.operand)
  }

  /// Whether the values of two keys differ.
  public static func != <Other>(key: Self, other: ModelKey<Other>) -> Filter {
    .comparison(key.operand, .notEqual, other.operand)
  }

  /// Whether the first of two values is smaller.
  public static func < <Other>(key: Self, other: ModelKey<Other>) -> Filter {
    .comparison(key.operand, .less, other.operand)
  }

  /// Whether the first of two values is smaller or equal.
  public static func <= <Other>(key: Self, other: ModelKey<Other>) -> Filter {
    .comparison(key.operand, .lessOrEqual, other.operand)
  }

  /// Whether the first of two values is greater.
  public static func > <Other>(key: Self, other: ModelKey<Other>) -> Filter {
    .comparison(key.operand, .greater, other.operand)
  }

  /// Whether the first of two values is greater or equal.
  public static func >= <Other>(key: Self, other: ModelKey<Other>) -> Filter {
    .comparison(key.operand, .greaterOrEqual, other.operand)
  }
}

extension ModelKey where Value == Bool {
  /// Whether the key's value is false.
  public static prefix func ! (key: Self) -> Filter { key.comparison(.equal, false) }
}

extension ModelKey {
  private func comparison(
    _ comparison: Filter.Comparison, _ value: some FieldValue
  ) -> Filter {
    .comparison(operand, comparison, constant(value))
  }

  private func lies<Bound: FieldValue>(in range: ClosedRange<Bound>) -> Filter {
    comparison(.greaterOrEqual, range.lowerBound) && comparison(.lessOrEqual, range.upperBound)
  }

  private func lies<Bound: FieldValue>(in range: Range<Bound>) -> Filter {
    comparison(.greaterOrEqual, range.lowerBound) && comparison(.less, range.upperBound)
  }
}
