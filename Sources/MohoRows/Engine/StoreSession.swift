package import MohoMapping

/// A transaction of a ``StoreEngine``.
///
/// A session is valid until the closure that received its reader or writer
/// returns. After that, its methods throw a ``StoreError`` with the code
/// ``StoreError/Code/invalidRequest``.
package protocol StoreSession: RowSource, HistorySource {
  /// The schema of the rows.
  var schema: Schema { get }

  /// Returns a cursor that reads the models of a request, in its order.
  func models<Model: MappedModel>(
    of request: ModelRequest<Model>
  ) throws -> any ModelCursor<Model>

  /// The dialect of statements that are not requests.
  var dialect: any SQLDialect { get }

  /// Returns the dialect of a request, in the current state of the transaction.
  func dialect(for request: ResolvedRequest) throws -> any SQLDialect

  /// Calls a closure with the values of each row of a query.
  ///
  /// - Parameters:
  ///   - types: The types of the columns.
  ///   - body: Receives an array that is reused for the next row, unless the
  ///     closure replaces it.
  /// - Throws: An ``UnreadableValue`` if a value does not have its type.
  func forEachRow(
    of query: SQLQuery, as types: [ValueType], _ body: (inout [FieldContent]) throws -> Void
  ) throws

  /// Explains how the engine runs a request.
  func explain(_ request: RowRequest) throws -> RequestExplanation

  /// Saves models. See ``StoreWriter/save(_:mode:progress:)``.
  func save<Model: MappedModel>(
    _ models: some Sequence<Model>, mode: SaveMode<Model>, _ meter: ImportMeter?
  ) throws -> SaveReport

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

  /// Deletes the rows of a request, and returns their number.
  func delete(_ request: RowRequest) throws -> Int

  /// Deletes the rows with the unique keys of models, and returns their number.
  func delete<Model: MappedModel>(_ models: some Sequence<Model>) throws -> Int

  /// Executes statements that an app has written. If one fails, none has an effect.
  func execute(_ sql: AppSQL) throws

  /// Calls a closure with the rows of a query that an app has written, in batches of
  /// ``GraphReader/batchSize``.
  ///
  /// - Parameters:
  ///   - node: The model whose keys the columns have.
  ///   - needsAllKeys: Whether there must be a column for each key.
  func forEachBatch(
    of query: AppSQL, as node: ModelNode, needsAllKeys: Bool,
    _ body: ([StoredRow]) throws -> Void
  ) throws

  /// Saves models, records the changes, and undoes them.
  func plan(_ save: @escaping @Sendable (StoreWriter) throws -> SaveReport) throws -> SavePlan

  /// Saves the models of a plan, if this still makes the changes of the plan.
  ///
  /// - Throws: A ``StoreError`` with the code ``StoreError/Code/planOutdated``
  ///   if saving would make other changes. Nothing is saved in this case.
  func apply(_ plan: SavePlan) throws -> SaveReport

  /// Returns identities for new rows of an entity, in ascending order. No row has
  /// them, and no other transaction receives them, unless this one is rolled back.
  ///
  /// - Returns: Fewer identities than requested if there are no more.
  func newIdentities(of entity: CompiledEntity, count: Int) throws -> [Int64]

  /// Executes the plan of a context.
  ///
  /// - Returns: The values of rows that differed from the values that the
  ///   context had read, or nil for deleted rows.
  /// - Throws: A ``ConflictError`` with all conflicts, or a ``StoreError`` if a
  ///   constraint fails.
  func save(
    _ plan: ContextPlan, resolvingConflictsBy policy: ConflictPolicy
  ) throws -> [Int: [CellValue]?]

  /// Returns a reader of the rows of a request, without its limit and offset. It can be
  /// used in all transactions of the engine.
  ///
  /// - Parameter model: The type of the models to read, or nil if only identities
  ///   are read.
  func resultReader(
    of request: ResolvedRequest, models model: (any MappedModel.Type)?, isSectioned: Bool
  ) throws -> any ResultReader

  /// Returns the fingerprints of the columns of rows, by identity, in the order
  /// of ``CompiledTable/columns``. Rows that do not exist are omitted.
  func fingerprints(of rowIDs: [Int64], in table: CompiledTable) throws -> [Int64: [UInt64]]

  /// Returns the integers in a column of all rows whose integer in another
  /// column is one of `values`. Null is omitted.
  ///
  /// - Parameter other: The other column, or nil for the identity of a row of a
  ///   link table.
  func integers(
    _ column: String, in table: String, where other: String?, isIn values: Set<Int64>
  ) throws -> Set<Int64>

  /// Returns the written rows of a table that observers may not have received,
  /// or nil if no such row was written.
  func unreportedRows(in table: String) throws -> RowWriteSet?

  /// Returns the rows that the transaction has written, with their previous values. Tables
  /// without written rows are omitted.
  ///
  /// - Parameter tables: Tables of ``RulesOverRelations/tables``. Engines record the writes of
  ///   these tables in all transactions.
  /// - Returns: An incomplete value if any row may have been written.
  func rowsWrittenInTransaction(to tables: [CompiledTable]) throws -> CommittedChanges

  /// Runs a closure that is part of the transaction, and returns the rows that it has written,
  /// with their values before the closure.
  ///
  /// - Parameter tables: Tables of ``RulesOverRelations/tables``.
  func recordingRows<Result>(
    of tables: [CompiledTable], _ body: () throws -> Result
  ) throws -> (result: Result, written: CommittedChanges)

  /// Checks the links of a transaction that will be rolled back.
  ///
  /// - Throws: A ``StoreError`` with the code ``StoreError/Code/danglingReference`` if rows
  ///   refer to rows that do not exist.
  func checkReferences() throws

  /// Whether the rules over related rows hold for everything that was written.
  var hasCheckedRules: Bool { get set }

  /// Reads the rows of queries.
  var linkedRows: any LinkedRowSource { get throws }

  /// Returns the damage of the database that its own check reports, up to a limit.
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

  /// Appends the next models, up to a limit.
  ///
  /// - Returns: Whether there may be more models.
  func read(_ limit: Int, into models: inout [Model]) throws -> Bool
}
