public import MohoMapping

extension ModelRow {
  /// Returns the row of a to-one relation, or nil if there is no related row.
  ///
  /// - Throws: A ``StoreError`` if the property is not a to-one relation, or if the
  ///   row cannot be read.
  public func relatedRow<Value: RelatedValue>(
    _ keyPath: KeyPath<Model, Value>
  ) throws -> ModelRow<Value.RelatedModel>? {
    try row.relatedRow(row.key(of: keyPath).name).map { ModelRow<_>(ofEntity: $0) }
  }

  /// Returns the rows of a to-many relation, in their order. Rows of an unordered
  /// relation are sorted by identity, new rows last.
  ///
  /// - Throws: A ``StoreError`` if the property is not a to-many relation, or if
  ///   the row cannot be read.
  /// - Complexity: One statement for up to 500 rows that were fetched together.
  ///   Later calls for the other rows of the batch need no statement.
  public func relatedRows<Values: RelatedValues>(
    _ keyPath: KeyPath<Model, Values>
  ) throws -> [ModelRow<Values.RelatedElement>] {
    try row.relatedRows(row.key(of: keyPath).name).map { ModelRow<_>(ofEntity: $0) }
  }

  /// Sets or removes the row of a to-one relation. The inverse relation is
  /// updated.
  ///
  /// - Throws: The errors of ``relatedRow(_:)``, and a ``StoreError`` if the rows
  ///   belong to different contexts.
  public func setRelatedRow<Value: RelatedValue>(
    _ keyPath: KeyPath<Model, Value>, to related: ModelRow<Value.RelatedModel>?
  ) throws {
    try row.setRelatedRow(row.key(of: keyPath).name, to: related?.row)
  }

  /// Replaces the rows of a to-many relation. An ordered relation takes the order
  /// of `related`. The inverse relations are updated.
  ///
  /// - Throws: The errors of ``add(_:to:)``.
  public func setRelatedRows<Values: RelatedValues>(
    _ keyPath: KeyPath<Model, Values>,
    to related: some Sequence<ModelRow<Values.RelatedElement>>
  ) throws {
    try row.setRelatedRows(row.key(of: keyPath).name, to: related.map(\.row))
  }

  /// Adds a row to a to-many relation, at the end if the relation is ordered. Does
  /// nothing if the row is already linked.
  ///
  /// - Throws: The errors of ``relatedRows(_:)``, and a ``StoreError`` if the rows
  ///   belong to different contexts.
  public func add<Values: RelatedValues>(
    _ related: ModelRow<Values.RelatedElement>, to keyPath: KeyPath<Model, Values>
  ) throws {
    try row.add(related.row, to: row.key(of: keyPath).name)
  }

  /// Inserts a row into an ordered relation at a position. A row that is already
  /// linked moves to the position. Positions out of bounds are clamped.
  ///
  /// - Throws: The errors of ``add(_:to:)``.
  public func insert<Values: RelatedValues>(
    _ related: ModelRow<Values.RelatedElement>, into keyPath: KeyPath<Model, Values>,
    at position: Int
  ) throws {
    try row.insert(related.row, into: row.key(of: keyPath).name, at: position)
  }

  /// Removes a row from a to-many relation. Does nothing if the row is not linked.
  ///
  /// - Throws: The errors of ``add(_:to:)``.
  public func remove<Values: RelatedValues>(
    _ related: ModelRow<Values.RelatedElement>, from keyPath: KeyPath<Model, Values>
  ) throws {
    try row.remove(related.row, from: row.key(of: keyPath).name)
  }

  /// Moves a row of an ordered relation. `to` is the position of the row after the
  /// move.
  ///
  /// - Throws: The errors of ``relatedRows(_:)``, and a ``StoreError`` if a position
  ///   is out of bounds or if the relation is not ordered.
  public func move<Values: RelatedValues>(
    in keyPath: KeyPath<Model, Values>, from: Int, to: Int
  ) throws {
    try row.move(in: row.key(of: keyPath).name, from: from, to: to)
  }
}
