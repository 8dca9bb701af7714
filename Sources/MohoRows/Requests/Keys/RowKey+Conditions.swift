// A Boolean key is a condition itself: `$0["isUnread"]` is `$0["isUnread"] == true`.
extension RowKey {
  /// A filter that matches rows where the key is true.
  var isTrue: Filter { self == true }

  /// A filter that matches rows where both keys are true.
  public static func && (key: Self, other: Self) -> Filter { key.isTrue && other.isTrue }

  /// A filter that matches rows where the key is true and a condition is satisfied.
  public static func && (key: Self, condition: Filter) -> Filter { key.isTrue && condition }

  /// A filter that matches rows where a condition is satisfied and the key is true.
  public static func && (condition: Filter, key: Self) -> Filter { condition && key.isTrue }

  /// A filter that matches rows where one of the keys is true.
  public static func || (key: Self, other: Self) -> Filter { key.isTrue || other.isTrue }

  /// A filter that matches rows where the key is true or a condition is satisfied.
  public static func || (key: Self, condition: Filter) -> Filter { key.isTrue || condition }

  /// A filter that matches rows where a condition is satisfied or the key is true.
  public static func || (condition: Filter, key: Self) -> Filter { condition || key.isTrue }

  /// A filter that matches rows where a Boolean key is true for at least one related row.
  public func any(_ condition: (RowKeys) -> RowKey) -> Filter { any { condition($0).isTrue } }

  /// A filter that matches rows where a Boolean key is true for all related rows. Rows without
  /// related rows match.
  public func all(_ condition: (RowKeys) -> RowKey) -> Filter { all { condition($0).isTrue } }

  /// A filter that matches rows where a Boolean key is true for no related row.
  public func none(_ condition: (RowKeys) -> RowKey) -> Filter { none { condition($0).isTrue } }

  /// The number of related rows for which a Boolean key is true.
  public func count(where condition: (RowKeys) -> RowKey) -> RowKey {
    count(where: { condition($0).isTrue })
  }
}

extension RowRequest {
  /// Returns the request with an additional condition: a Boolean key that is true.
  ///
  /// ```swift
  /// RowRequest("Task").filter { $0["isUrgent"] && !$0["isDone"] }
  /// ```
  public func filter(_ condition: (RowKeys) -> RowKey) -> Self {
    filter { condition($0).isTrue }
  }
}
