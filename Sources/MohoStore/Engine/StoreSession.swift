package import MohoMapping

/// A transaction of a ``StoreEngine``.
///
/// A session is valid until the closure returns that received its reader or
/// writer. After that, its methods throw ``StoreError`` of code
/// ``StoreError/Code/invalidRequest``.
package protocol StoreSession: AnyObject {
  /// The schema of the rows.
  var schema: Schema { get }

  /// What the commit that observers are receiving changed, by table: a cache that
  /// all of them share.
  var rowDeltas: [String: [Int64: RowDelta]] { get set }

  /// Starts reading the models of a request, in the order of the request.
  func models<Model: MappedModel>(
    of request: ModelRequest<Model>
  ) throws -> any ModelCursor<Model>

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
}

/// Reads the models of a request one after the other.
package protocol ModelCursor<Model>: AnyObject {
  associatedtype Model: MappedModel

  /// Appends the next models, up to a limit.
  ///
  /// - Returns: Whether there may be more.
  func read(_ limit: Int, into models: inout [Model]) throws -> Bool
}
