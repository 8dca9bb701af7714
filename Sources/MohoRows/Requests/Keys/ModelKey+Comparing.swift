public import MohoMapping

extension ModelKey where Value: FieldValue {
  /// A filter that matches rows where the key equals a value.
  public static func == (key: Self, value: Value) -> Filter { key.comparison(.equal, value) }

  /// A filter that matches rows where the key does not equal a value.
  public static func != (key: Self, value: Value) -> Filter { key.comparison(.notEqual, value) }

  /// A filter that matches rows where the key equals one of several values.
  public func isOne(of values: some Sequence<Value>) -> Filter {
    var contents: [FieldContent] = []
    for value in values {
      switch constant(value).kind {
      case .constant(let content): contents.append(content)
      case .invalid(let reason): return .invalid(reason)
      case .key, .arithmetic, .indexLetter, .count, .filtered, .search: break
      }
    }
    return .oneOf(operand, contents)
  }
}

extension ModelKey where Value: FieldValue & Comparable {
  /// A filter that matches rows where the key is less than a value.
  public static func < (key: Self, value: Value) -> Filter { key.comparison(.less, value) }

  /// A filter that matches rows where the key is less than or equal to a value.
  public static func <= (key: Self, value: Value) -> Filter { key.comparison(.lessOrEqual, value) }

  /// A filter that matches rows where the key is greater than a value.
  public static func > (key: Self, value: Value) -> Filter { key.comparison(.greater, value) }

  /// A filter that matches rows where the key is greater than or equal to a
  /// value.
  public static func >= (key: Self, value: Value) -> Filter {
    key.comparison(.greaterOrEqual, value)
  }

  /// A filter that matches rows where the key is in a range.
  public func isBetween(_ range: ClosedRange<Value>) -> Filter { lies(in: range) }

  /// A filter that matches rows where the key is in a half-open range.
  public func isBetween(_ range: Range<Value>) -> Filter { lies(in: range) }
}

extension ModelKey {
  /// A filter that matches rows where the key is not nil and less than a value.
  public static func < <Wrapped: FieldValue & Comparable>(key: Self, value: Wrapped) -> Filter
  where Value == Wrapped? { key.comparison(.less, value) }

  /// A filter that matches rows where the key is not nil and less than or equal
  /// to a value.
  public static func <= <Wrapped: FieldValue & Comparable>(key: Self, value: Wrapped) -> Filter
  where Value == Wrapped? { key.comparison(.lessOrEqual, value) }

  /// A filter that matches rows where the key is not nil and greater than a
  /// value.
  public static func > <Wrapped: FieldValue & Comparable>(key: Self, value: Wrapped) -> Filter
  where Value == Wrapped? { key.comparison(.greater, value) }

  /// A filter that matches rows where the key is not nil and greater than or
  /// equal to a value.
  public static func >= <Wrapped: FieldValue & Comparable>(key: Self, value: Wrapped) -> Filter
  where Value == Wrapped? { key.comparison(.greaterOrEqual, value) }

  /// A filter that matches rows where the key is not nil and in a range.
  public func isBetween<Wrapped: FieldValue & Comparable>(
    _ range: ClosedRange<Wrapped>
  ) -> Filter where Value == Wrapped? { lies(in: range) }

  /// A filter that matches rows where the key is not nil and in a half-open
  /// range.
  public func isBetween<Wrapped: FieldValue & Comparable>(
    _ range: Range<Wrapped>
  ) -> Filter where Value == Wrapped? { lies(in: range) }
}

/// Comparisons of two keys. Executing the request checks whether the types of
/// the keys can be compared. The error names both keys.
extension ModelKey {
  /// A filter that matches rows where both keys are equal or both are nil.
  public static func == <Other>(key: Self, other: ModelKey<Other>) -> Filter {
    .comparison(key.operand, .equal, other.operand)
  }

  /// A filter that matches rows where the keys differ.
  public static func != <Other>(key: Self, other: ModelKey<Other>) -> Filter {
    .comparison(key.operand, .notEqual, other.operand)
  }

  /// A filter that matches rows where the first key is less than the second
  /// one.
  public static func < <Other>(key: Self, other: ModelKey<Other>) -> Filter {
    .comparison(key.operand, .less, other.operand)
  }

  /// A filter that matches rows where the first key is less than or equal to
  /// the second one.
  public static func <= <Other>(key: Self, other: ModelKey<Other>) -> Filter {
    .comparison(key.operand, .lessOrEqual, other.operand)
  }

  /// A filter that matches rows where the first key is greater than the second
  /// one.
  public static func > <Other>(key: Self, other: ModelKey<Other>) -> Filter {
    .comparison(key.operand, .greater, other.operand)
  }

  /// A filter that matches rows where the first key is greater than or equal to
  /// the second one.
  public static func >= <Other>(key: Self, other: ModelKey<Other>) -> Filter {
    .comparison(key.operand, .greaterOrEqual, other.operand)
  }
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
