package import MohoMapping

/// The statements of an engine that save graphs, for one call.
package protocol GraphStatements {
  /// Returns a writer for the rows of a model. Called once for each model.
  ///
  /// - Parameters:
  ///   - deferredLinks: The indexes of the links whose columns are written after
  ///     all rows have been written.
  ///   - log: The log of written rows, or nil if rows may be written several
  ///     times.
  func nodeWriter(
    _ node: ModelNode, deferring deferredLinks: Set<Int>, log: SavedRowLog?
  ) throws -> any NodeRowWriter

  /// Returns a writer for the links of a relation that are stored in other rows
  /// or in a link table. Called once for each relation that has links to save.
  func linkWriter(_ link: NodeLink, of node: ModelNode) throws -> any LinkRowWriter

  /// Returns whether rows with unique keys are stored, in the order of the keys. Called for
  /// partial models.
  func contains(_ keys: [FieldContent], of node: ModelNode) throws -> [Bool]

  /// The maximum number of partial models that are written together. If it is greater than 1,
  /// an error of a row is a ``FailedBatch``, after which the call is undone and repeated
  /// with other statements, whose maximum is 1.
  var partialBatchSize: Int { get }

  /// Returns the stored models with the given unique keys, in no particular order. Keys
  /// without a row are ignored. Called to merge models with stored ones.
  ///
  /// - Parameter keys: 1 to 500 keys, which are not null.
  func models<Model: MappedModel>(
    of model: Model.Type, with keys: [FieldContent]
  ) throws -> [Model]

  /// The errors of the call. All writers add theirs.
  var failures: WriteFailures { get }
}

extension GraphStatements {
  package var partialBatchSize: Int { 1 }
}

/// Writes the rows of one model. The errors of rows are added to those of the call.
/// All methods throw the errors that ``WriteFailures`` does not add.
package protocol NodeRowWriter: AnyObject {
  /// Writes rows, except their deferred links: inserts those whose unique key is not
  /// stored, and updates stored rows that differ. A stored row gets the values that the
  /// policies of ``ModelNode/columnMerges`` select.
  ///
  /// Links are those of ``GraphRow/target(of:)``. One-to-one links of other rows to the
  /// same targets are removed first. A required column of a deferred link gets a
  /// placeholder. The method sets the outcome of each written row, and the identity at
  /// least of each inserted row. It records insertions and updates in the log. A row that
  /// the log has counted before is unchanged.
  ///
  /// - Parameters:
  ///   - rows: Rows with different unique keys. The rows that they refer to by columns
  ///     have been written or have a key.
  ///   - isOnlyInserted: Whether a row is not written if a stored row has its
  ///     unique key.
  ///   - batch: The number of the batch. A batch may write a row in several
  ///     steps.
  /// - Throws: A ``RepeatedRow`` if another batch has updated a row.
  func save(
    _ rows: [GraphRow], onlyInserting isOnlyInserted: (GraphRow) -> Bool, batch: Int
  ) throws

  /// Writes the deferred links of rows that ``save(_:onlyInserting:batch:)`` has written.
  /// Called after all rows of the batch have been written.
  ///
  /// One-to-one links of other rows to the same targets are removed first. If a link
  /// changes, an unchanged row becomes an updated one, unless the log has counted it.
  ///
  /// - Parameter batch: The number of the batch in which the rows were written.
  /// - Throws: A ``RepeatedRow`` if another batch has updated a row.
  func saveDeferredLinks(of rows: [GraphRow], batch: Int) throws

  /// Writes the keys that are present in partial models, except the unique key: those with
  /// contents and to-one targets. The rows are different and stored, and the rows of nested
  /// models have been written.
  ///
  /// One-to-one links of other rows to the same targets are removed first. If a row changes,
  /// the method sets the outcome that ``SavedRowLog/outcome(ofUpdating:_:)`` returns.
  ///
  /// - Throws: The error of a row, unless the method adds it to those of the call. A
  ///   ``RepeatedRow`` if another partial model has updated one of the keys.
  func update(_ rows: [GraphRow]) throws
}

/// Writes the links of one relation that are stored in other rows or in a link
/// table.
package protocol LinkRowWriter: AnyObject {
  /// The relation.
  var link: NodeLink { get }

  /// Collects the links of rows, in order, without writing them. If a row occurs several
  /// times, its last links are used, or all of them if they are added to the stored ones.
  /// If the members store the links in a column, the last owner of each member is used.
  ///
  /// Called after the rows and the members of a batch have been written. A key without a
  /// row is an error of the linking row, which is added to those of the call, unless a
  /// foreign key finds it at the end of the transaction.
  func save(_ rows: [GraphRow]) throws

  /// Updates the stored links of the collected rows to the collected links. The policy
  /// of the relation decides whether other links of these rows are removed, and whether
  /// the rows at their other end are deleted.
  ///
  /// Called once, after all rows of the call have been written without an error.
  ///
  /// - Parameter report: The method adds the numbers of rows and links.
  /// - Throws: A ``StoreError`` that names the relation.
  /// - Complexity: The number of statements does not depend on the number of links,
  ///   unless rows need a ``RowDeleter``.
  func write(_ report: inout SaveReport) throws
}

/// The rows of a mirrored request for which no model has been saved.
package protocol MirroredRows {
  /// Excludes the rows of saved models from deletion. Called after each batch, as long as
  /// the call has no errors, with the rows of the batch's models, but not of nested ones.
  func retain(_ rows: [GraphRow]) throws
}
