public import MohoMapping

extension ModelKey where Value: RelatedValues {
  /// A filter that matches rows where a Boolean key is true for at least one related row.
  public func any(
    _ condition: (ModelKeys<Value.RelatedElement>) -> some FilterConvertible
  ) -> Filter {
    any { condition($0).filter }
  }

  /// A filter that matches rows where a Boolean key is true for all related rows. Rows without
  /// related rows match.
  public func all(
    _ condition: (ModelKeys<Value.RelatedElement>) -> some FilterConvertible
  ) -> Filter {
    all { condition($0).filter }
  }

  /// A filter that matches rows where a Boolean key is true for no related row.
  public func none(
    _ condition: (ModelKeys<Value.RelatedElement>) -> some FilterConvertible
  ) -> Filter {
    none { condition($0).filter }
  }

  /// The number of related rows for which a Boolean key is true.
  public func count(
    where condition: (ModelKeys<Value.RelatedElement>) -> some FilterConvertible
  ) -> ModelKey<Int> {
    count(where: { condition($0).filter })
  }
}

extension RowKey {
  /// A filter that matches rows where a Boolean key is true for at least one related row.
  public func any(_ condition: (RowKeys) -> some FilterConvertible) -> Filter {
    any { condition($0).filter }
  }

  /// A filter that matches rows where a Boolean key is true for all related rows. Rows without
  /// related rows match.
  public func all(_ condition: (RowKeys) -> some FilterConvertible) -> Filter {
    all { condition($0).filter }
  }

  /// A filter that matches rows where a Boolean key is true for no related row.
  public func none(_ condition: (RowKeys) -> some FilterConvertible) -> Filter {
    none { condition($0).filter }
  }

  /// The number of related rows for which a Boolean key is true.
  public func count(where condition: (RowKeys) -> some FilterConvertible) -> RowKey {
    count(where: { condition($0).filter })
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
