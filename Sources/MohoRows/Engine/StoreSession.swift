package import MohoMapping

/// A transaction of a ``StoreEngine``.
///
/// A session is valid until the closure returns that received its reader or
/// writer. After that, its methods throw ``StoreError`` of code
/// ``StoreError/Code/invalidRequest``.
package protocol StoreSession: RowSource {
  /// The schema of the rows.
  var schema: Schema { get }

  /// Starts reading the models of a request, in the order of the request.
  func models<Model: MappedModel>(
    of request: ModelRequest<Model>
  ) throws -> any ModelCursor<Model>

  /// The number of rows of a request.
  func count(_ request: RowRequest) throws -> Int

  /// Whether a request has any rows.
  func exists(_ request: RowRequest) throws -> Bool

  /// The identities of the rows of a request, in order.
  func identities(of request: RowRequest) throws -> [Int64]

  /// Values of the rows of a request, in order; see
  /// ``StoreReader/fetchValues(_:_:)``.
  func values(_ values: [Operand], of request: RowRequest) throws -> [RequestRow]

  /// Values computed from groups of rows; see
  /// ``StoreReader/fetchAggregates(_:groupedBy:_:)``.
  func aggregates(
    _ aggregates: [Aggregate], of request: RowRequest, groupedBy keys: [Operand]
  ) throws -> [RequestRow]

  /// How the engine runs a request.
  func explain(_ request: RowRequest) throws -> RequestExplanation

  /// Saves models; see ``StoreWriter/save(_:mode:)``.
  func save<Model: MappedModel>(
    _ models: some Sequence<Model>, mode: SaveMode<Model>
  ) throws -> SaveReport

  /// Saves one model.
  func save<Model: MappedModel>(_ model: Model) throws -> SaveReport

  /// Saves the rows of a document; see ``StoreWriter/save(decoding:mode:)``.
  func save<Model: MappedModel>(
    decoding fields: UndecodedModels<Model>, mode: SaveMode<Model>
  ) throws -> SaveReport

  /// Updates rows from partial models; see ``StoreWriter/update(_:)``.
  func update<Model: MappedModel>(_ partials: some Sequence<Partial<Model>>) throws -> SaveReport

  /// Deletes the rows of a request, and returns their number.
  func delete(_ request: RowRequest) throws -> Int

  /// Deletes the rows with the unique keys of models, and returns their number.
  func delete<Model: MappedModel>(_ models: some Sequence<Model>) throws -> Int

  /// Saves, records what that changes, and undoes it.
  func plan(_ save: @escaping @Sendable (StoreWriter) throws -> SaveReport) throws -> SavePlan

  /// Saves what a plan saves, if that changes what the plan says.
  ///
  /// - Throws: ``StoreError`` of code ``StoreError/Code/planOutdated``, with
  ///   nothing saved, if it would change something else.
  func apply(_ plan: SavePlan) throws -> SaveReport

  /// The first identity above all others of an entity, or nil if none is left.
  func firstFreeIdentity(of entity: CompiledEntity) throws -> Int64?

  /// Carries out the plan of a context.
  ///
  /// - Returns: The values of rows that differed from those that the context had
  ///   read; nil for deleted rows.
  /// - Throws: ``ConflictError`` with all conflicts; ``StoreError`` if a
  ///   constraint fails.
  func save(
    _ plan: ContextPlan, resolvingConflictsBy policy: ConflictPolicy
  ) throws -> [Int: [CellValue]?]

  /// A reader of the rows of a result, for all transactions of the engine.
  func resultReader<Model: MappedModel>(
    of request: ModelRequest<Model>, isSectioned: Bool
  ) throws -> any ResultReader

  /// The fingerprints of the columns of rows, by identity, in the order of
  /// ``CompiledTable/columns``. Rows that do not exist are omitted.
  func fingerprints(of rowIDs: [Int64], in table: CompiledTable) throws -> [Int64: [UInt64]]

  /// The integers in a column of the rows of a table whose integer in another
  /// column is in a list. Null is omitted.
  func integers(
    _ column: String, in table: String, where other: String, isIn values: Set<Int64>
  ) throws -> Set<Int64>

  /// The rows of a table that were written, and that observers may not have
  /// received yet; nil if no row was.
  func unreportedRows(in table: String) throws -> RowWriteSet?

  /// What the commit that observers are receiving did to rows, by table: a cache
  /// that all observers of the commit share.
  var rowDeltas: [String: [Int64: RowDelta]] { get set }
}

/// Reads the models of a request one after the other.
package protocol ModelCursor<Model>: AnyObject {
  associatedtype Model: MappedModel

  /// Appends the next models, up to a limit.
  ///
  /// - Returns: Whether there may be more.
  func read(_ limit: Int, into models: inout [Model]) throws -> Bool
}
