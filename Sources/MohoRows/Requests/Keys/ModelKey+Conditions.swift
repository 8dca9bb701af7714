public import MohoMapping

/// The types of keys that are conditions: `Bool` and `Bool?`.
public protocol BooleanValue: FieldValue {}
extension Bool: BooleanValue {}
extension Bool?: BooleanValue {}

// A Boolean key is a condition itself: `$0.isUnread` is `$0.isUnread == true`.
extension ModelKey where Value: BooleanValue {
  /// A filter that matches rows where the key is true.
  var isTrue: Filter { .comparison(operand, .equal, constant(true)) }

  /// A filter that matches rows where the key is false. Nil is not false.
  public static prefix func ! (key: Self) -> Filter {
    .comparison(key.operand, .equal, key.constant(false))
  }

  /// A filter that matches rows where both keys are true.
  public static func && <Other: BooleanValue>(key: Self, other: ModelKey<Other>) -> Filter {
    key.isTrue && other.isTrue
  }

  /// A filter that matches rows where the key is true and a condition is satisfied.
  public static func && (key: Self, condition: Filter) -> Filter { key.isTrue && condition }

  /// A filter that matches rows where a condition is satisfied and the key is true.
  public static func && (condition: Filter, key: Self) -> Filter { condition && key.isTrue }

  /// A filter that matches rows where one of the keys is true.
  public static func || <Other: BooleanValue>(key: Self, other: ModelKey<Other>) -> Filter {
    key.isTrue || other.isTrue
  }

  /// A filter that matches rows where the key is true or a condition is satisfied.
  public static func || (key: Self, condition: Filter) -> Filter { key.isTrue || condition }

  /// A filter that matches rows where a condition is satisfied or the key is true.
  public static func || (condition: Filter, key: Self) -> Filter { condition || key.isTrue }
}

extension ModelRequest {
  /// Returns the request with an additional condition: a Boolean key that is true.
  ///
  /// ```swift
  /// request.filter { $0.isUnread }.filter { !$0.podcast.isHidden }
  /// ```
  public func filter<Value: BooleanValue>(
    _ condition: (ModelKeys<Model>) -> ModelKey<Value>
  ) -> Self {
    filter { condition($0).isTrue }
  }
}

extension ModelKey where Value: RelatedValues {
  /// A filter that matches rows where a Boolean key is true for at least one related row.
  public func any<Other: BooleanValue>(
    _ condition: (ModelKeys<Value.RelatedElement>) -> ModelKey<Other>
  ) -> Filter {
    any { condition($0).isTrue }
  }

  /// A filter that matches rows where a Boolean key is true for all related rows. Rows without
  /// related rows match.
  public func all<Other: BooleanValue>(
    _ condition: (ModelKeys<Value.RelatedElement>) -> ModelKey<Other>
  ) -> Filter {
    all { condition($0).isTrue }
  }

  /// A filter that matches rows where a Boolean key is true for no related row.
  public func none<Other: BooleanValue>(
    _ condition: (ModelKeys<Value.RelatedElement>) -> ModelKey<Other>
  ) -> Filter {
    none { condition($0).isTrue }
  }

  /// The number of related rows for which a Boolean key is true.
  public func count<Other: BooleanValue>(
    where condition: (ModelKeys<Value.RelatedElement>) -> ModelKey<Other>
  ) -> ModelKey<Int> {
    count(where: { condition($0).isTrue })
  }
}

extension Sequence where Element: FieldValue {
  /// A filter that matches rows where a key equals one of the values, as
  /// ``ModelKey/isOne(of:)``.
  ///
  /// ```swift
  /// request.filter { ids.contains($0.id) }
  /// ```
  public func contains(_ key: ModelKey<Element>) -> Filter { key.isOne(of: self) }

  /// A filter that matches rows where an optional key equals one of the values.
  public func contains(_ key: ModelKey<Element?>) -> Filter {
    key.isOne(of: lazy.map { Optional($0) })
  }

  /// A filter that matches rows where a key equals one of the values, as
  /// ``RowKey/isOne(of:)``.
  public func contains(_ key: RowKey) -> Filter { key.isOne(of: self) }
}
