package import MohoMapping

/// The access of a closure to a transaction of a ``StoreEngine``.
///
/// Each closure that receives a reader or a writer has a session of its own, which is
/// used on the thread of the closure. The session is valid until the closure returns.
/// After that, its methods that use the connection throw a ``StoreError`` with the code
/// ``StoreError/Code/invalidRequest``. The observers of a commit may share a session, which
/// is valid until all of them have returned.
///
/// Methods that write are called in write transactions only. A method that saves,
/// updates or deletes models, executes SQL or applies a plan undoes its own changes if it
/// throws.
package protocol StoreSession: RowSource, HistorySource {
  /// The schema of the rows.
  var schema: Schema { get }

  /// Returns a cursor that reads the models of a request, in its order, with their
  /// related models.
  func models<Model: MappedModel>(
    of request: ModelRequest<Model>
  ) throws -> any ModelCursor<Model>

  /// The dialect of statements that are not requests, such as a ``LinkQuery``.
  var dialect: any SQLDialect { get }

  /// Returns the dialect of a request, in the current state of the transaction. Called
  /// each time that the SQL of a request is written, because a dialect may contain
  /// values that the client has computed from stored rows.
  func dialect(for request: ResolvedRequest) throws -> any SQLDialect

  /// Calls a closure with the values of each row of a query.
  ///
  /// - Parameters:
  ///   - types: The type of each column.
  ///   - body: Receives an array that is reused for the next row, unless the
  ///     closure replaces it.
  /// - Throws: An ``UnreadableValue`` if a value does not have its type, and the errors
  ///   of the closure.
  func forEachRow(
    of query: SQLQuery, as types: [ValueType], _ body: (inout [FieldContent]) throws -> Void
  ) throws

  /// Explains how the engine runs a request: passes the plan of the database to
  /// ``RequestSQL/explanation(_:)``.
  func explain(_ request: RowRequest) throws -> RequestExplanation

  /// Saves models. See ``StoreWriter/save(_:mode:progress:)``.
  ///
  /// - Parameters:
  ///   - models: Models that may be iterated once only. A ``RepeatableSequence`` can be
  ///     iterated again.
  ///   - meter: Receives the progress after each ``ImportMeter/interval`` models and at
  ///     the end. Nil if no progress is reported.
  func save<Model: MappedModel>(
    _ models: some Sequence<Model>, mode: SaveMode<Model>, _ meter: ImportMeter?
  ) throws -> SaveReport

  /// Saves one model. Its errors have no position in a list.
  func save<Model: MappedModel>(_ model: Model) throws -> SaveReport

  /// Saves the models of a document. See ``StoreWriter/save(decoding:mode:progress:)``.
  func save<Model: MappedModel>(
    decoding fields: UndecodedModels<Model>, mode: SaveMode<Model>, _ meter: ImportMeter?
  ) throws -> SaveReport

  /// Updates rows from partial models. See ``StoreWriter/update(_:)``.
  func update<Model: MappedModel>(_ partials: some Sequence<Partial<Model>>) throws -> SaveReport

  /// Inserts and updates rows from partial models; see
  /// ``StoreWriter/upsert(_:)-(Sequence)``.
  func upsert<Model: MappedModel>(
    _ partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport

  /// Deletes the rows of a request, within its limit and offset, and all rows that
  /// cascades reach.
  ///
  /// - Returns: The number of rows of the request, without others that cascades reach.
  /// - Throws: A ``StoreError``, with the code ``StoreError/Code/deniedDeletion`` if a
  ///   delete rule denies a deletion. No row is deleted then.
  func delete(_ request: RowRequest) throws -> Int

  /// Deletes the rows with the unique keys of models, and all rows that cascades reach.
  /// Models without a row are ignored.
  ///
  /// - Returns: The number of rows with the keys, without others that cascades reach.
  /// - Throws: A ``StoreError`` if the model has no unique key, or with the code
  ///   ``StoreError/Code/deniedDeletion`` if a delete rule denies a deletion.
  func delete<Model: MappedModel>(_ models: some Sequence<Model>) throws -> Int

  /// Executes statements that an app has written, in order. If one fails, none has an
  /// effect.
  ///
  /// - Throws: A ``StoreError`` if a statement fails, with the code
  ///   ``StoreError/Code/invalidRequest`` if a statement controls transactions,
  ///   connections or files, or if the number of arguments is not that of the
  ///   parameters. A `MappingError` if an argument cannot be stored.
  func execute(_ sql: AppSQL) throws

  /// Calls a closure with the rows of a query that an app has written, in its order and
  /// in batches of at most ``GraphReader/batchSize``. The closure may read other rows. It
  /// is not called if the query returns no rows.
  ///
  /// - Parameters:
  ///   - node: The model whose keys the columns have. ``NamedColumns`` finds them.
  ///   - needsAllKeys: Whether there must be a column for each key.
  /// - Throws: The errors of ``execute(_:)`` and of the closure, and a ``StoreError``
  ///   with the code ``StoreError/Code/invalidRequest`` if the SQL is not one statement
  ///   or changes the database, or if a column is missing.
  func forEachBatch(
    of query: AppSQL, as node: ModelNode, needsAllKeys: Bool,
    _ body: ([StoredRow]) throws -> Void
  ) throws

  /// Saves models in ``StoreWriter/checkingRules(_:)``, records the changes of all rows,
  /// including those of delete rules and triggers, and undoes them.
  ///
  /// - Parameter save: Saves the models. The plan retains it.
  /// - Throws: The errors of the closure and of the rules.
  func plan(_ save: @escaping @Sendable (StoreWriter) throws -> SaveReport) throws -> SavePlan

  /// Saves the models of a plan, if this still makes the changes of the plan.
  ///
  /// - Throws: The errors of saving, and a ``StoreError`` with the code
  ///   ``StoreError/Code/planOutdated`` if saving would make other changes. Nothing is
  ///   saved in these cases.
  func apply(_ plan: SavePlan) throws -> SaveReport

  /// Returns unused identities for new rows of an entity, in ascending order. Called in
  /// a write transaction before a context is saved, for entities without an identity
  /// attribute.
  ///
  /// No other transaction receives the identities until this one ends. The caller
  /// inserts rows with all of them before the next call. Identities without a row may be
  /// returned again.
  ///
  /// SQL and triggers may insert rows with the same identities. The save then fails with
  /// the code ``StoreError/Code/notUnique``, is undone, and runs once more.
  ///
  /// - Parameter afterCollision: Whether the save has failed for this reason. The
  ///   identities must then be those of no row, and of no row that triggers will insert.
  /// - Returns: Fewer identities than requested if there are no more. An engine may
  ///   throw a ``StoreError`` instead.
  func newIdentities(
    of entity: CompiledEntity, count: Int, afterCollision: Bool
  ) throws -> [Int64]

  /// Executes the plan of a context with a ``ContextSaver``. If this throws, the caller
  /// undoes all changes.
  ///
  /// - Returns: The values of rows that differed from the values that the
  ///   context had read, or nil for deleted rows, by ``ContextPlan/Row/handle``.
  /// - Throws: A ``ConflictError`` with all conflicts, or a ``StoreError`` if a
  ///   constraint fails.
  func save(
    _ plan: ContextPlan, resolvingConflictsBy policy: ConflictPolicy
  ) throws -> [Int: [CellValue]?]

  /// Returns a reader of the rows of a request, without its limit and offset. All
  /// transactions of the engine can use it, also after this session. Several observers
  /// may share a reader.
  ///
  /// - Parameters:
  ///   - model: The type of the models to read, or nil if only identities
  ///     are read.
  ///   - isSectioned: Whether the first ordering of the request is the section key.
  func resultReader(
    of request: ResolvedRequest, models model: (any MappedModel.Type)?, isSectioned: Bool
  ) throws -> any ResultReader

  /// Returns the fingerprints of the columns of rows, by identity, in the order
  /// of ``CompiledTable/columns``. Rows that do not exist are omitted.
  ///
  /// If a commit has not changed a value, its fingerprint must be the one that
  /// ``RowWriteSet/before`` has.
  func fingerprints(of rowIDs: [Int64], in table: CompiledTable) throws -> [Int64: [UInt64]]

  /// Returns the integers in a column of all rows whose integer in another
  /// column is one of `values`. Null is omitted.
  ///
  /// - Parameter other: The other column, or nil for the identity of a row of a
  ///   link table.
  func integers(
    _ column: String, in table: String, where other: String?, isIn values: Set<Int64>
  ) throws -> Set<Int64>

  /// Returns the written rows of a table that observers may not have received: in a
  /// write transaction, the rows that it has written; in an observer, those of the
  /// commit. Called in ``StoreEngine/readSettled(inOneStatement:_:)`` while the store
  /// has observers.
  ///
  /// - Returns: Nil if there are no such rows, as in a read transaction.
  func unreportedRows(in table: String) throws -> RowWriteSet?

  /// Returns the rows that the transaction has written so far, with their values before
  /// the transaction. Tables without written rows are omitted.
  /// ``StoreWriter/checkRules()`` calls this method.
  ///
  /// - Parameter tables: Tables of ``RulesOverRelations/tables``. Engines record the writes of
  ///   these tables in all transactions.
  /// - Returns: An incomplete value if any row may have been written.
  func rowsWrittenInTransaction(to tables: [CompiledTable]) throws -> CommittedChanges

  /// Runs a closure that is part of the transaction, and returns the rows that it has written,
  /// with their values before the closure. Calls can be nested.
  ///
  /// - Parameter tables: Tables of ``RulesOverRelations/tables``.
  /// - Throws: The errors of the closure.
  func recordingRows<Result>(
    of tables: [CompiledTable], _ body: () throws -> Result
  ) throws -> (result: Result, written: CommittedChanges)

  /// Checks the links of a transaction after a rule has failed. The transaction, or its
  /// innermost savepoint, will be rolled back in any case.
  ///
  /// - Throws: A ``StoreError`` with the code ``StoreError/Code/danglingReference`` if
  ///   rows refer to rows that do not exist. It names these links, and replaces the error
  ///   of the rule.
  func checkReferences() throws

  /// Whether the rules over related rows hold for everything that the closure of this
  /// session has written. False at first. A context sets it after it has checked them,
  /// and ``StoreWriter/checkRules()`` then does nothing. It has no effect on the session
  /// of an outer call of ``StoreEngine/write(author:_:)``.
  var hasCheckedRules: Bool { get set }

  /// The source from which a ``GraphReader`` reads related rows in the transaction.
  var linkedRows: any LinkedRowSource { get throws }

  /// Returns the messages of the database's own check, at most `limit`. Empty if the
  /// database is intact, or if it has no such check.
  func damage(limit: Int) throws -> [String]
}

/// The error for a value of a query that does not have the type of its column.
package struct UnreadableValue: Error {
  package let column: Int
  /// The integer in the last column of the row.
  package let identity: Int64
  package let error: MappingError

  package init(column: Int, identity: Int64, error: MappingError) {
    self.column = column
    self.identity = identity
    self.error = error
  }
}

/// Reads the models of a request in steps.
package protocol ModelCursor<Model>: AnyObject {
  associatedtype Model: MappedModel

  /// Appends the next models, at most `limit`. Called in the session that has returned
  /// the cursor.
  ///
  /// - Returns: Whether there may be more models. False only at the end.
  /// - Throws: A `MappingError` if a row cannot be read as a model.
  func read(_ limit: Int, into models: inout [Model]) throws -> Bool
}
