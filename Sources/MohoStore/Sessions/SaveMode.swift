import GRDB
public import MohoMapping

/// What saving does with rows that are not among the models.
public enum SaveMode<Model: MappedModel>: Sendable {
  /// It leaves them alone.
  case save

  /// It deletes those of a request, so that the models are all that the request
  /// finds, if it finds them.
  ///
  /// ```swift
  /// let feed = ModelRequest<Episode>().filter { $0.season == 4 }
  /// try store.write {
  ///   try $0.save(episodes, mode: .mirror(feed, deletingAtMost: 0.2))
  /// }
  /// ```
  ///
  /// The rows of the request are those before models are saved. Where a greater
  /// fraction of them than given would go, nothing is saved and an error of code
  /// ``StoreError/Code/tooManyDeletions`` says how many: a feed that came in
  /// empty must not empty the store.
  case mirror(ModelRequest<Model>, deletingAtMost: Double)
}

/// The rows of a request that have not been met among the models yet, in a
/// temporary table.
final class MirrorScope {
  private static let table = "temp._moho_scope"

  private let node: ModelBinding
  private let database: Database
  private let limit: Double
  private let count: Int
  private let term: RowTerm
  private let removal: BoundStatement

  /// Nil where no rows are to be deleted.
  init?<Model>(_ mode: SaveMode<Model>, _ database: Database, _ schema: Schema) throws {
    guard case .mirror(let request, let limit) = mode else { return nil }
    node = try schema.compiled.binding(of: Model.self)
    guard node.unique != nil else {
      throw StoreError(
        .invalidRequest,
        reason: "`\(node.name)` has no unique key to tell by which rows are among the models",
        suggestion: "delete the rows of a request, and save the models")
    }
    self.database = database
    self.limit = limit
    try execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS _moho_scope (id INTEGER PRIMARY KEY);
      DELETE FROM \(Self.table);
      """, on: database)
    let scope = try RequestSQL(request, schema)
    let identities = try scope.select([scope.identity])
    try database.cachedStatement(sql: "INSERT INTO \(Self.table) \(identities.sql)")
      .execute(arguments: StatementArguments(identities.arguments))
    count = database.changesCount
    term = RowTerm(node, node.name, first: 1)
    removal = try BoundStatement(
      database, sql: "DELETE FROM \(Self.table) WHERE id = \(term.sql)")
  }

  /// Takes a row for one of a model.
  func keep(_ row: RowTarget) throws {
    removal.clear()
    try term.bind(row, to: removal.encoder)
    try removal.execute()
  }

  /// Takes the row that a model was saved in for its own.
  func keep<Model: MappedModel>(_ model: Model) throws {
    guard let unique = node.unique else { return }
    let recorder = FieldRecorder()
    try Model.mapping.encode(model, only: node.table.keys[unique].name, to: recorder)
    try keep(.key(recorder.contents.first ?? .null))
  }

  /// Deletes the rows that no model was saved in.
  ///
  /// - Returns: The number of rows that are gone.
  /// - Throws: ``StoreError`` where they are too many.
  func deleteOthers() throws -> Int {
    let others =
      try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM \(Self.table)")) ?? 0
    // So that what is not a number allows nothing.
    guard others == 0 || Double(others) <= limit * Double(count) else {
      throw StoreError(
        .tooManyDeletions, subject: "`\(node.name)`",
        reason: "\(others) of \(count) rows would be deleted, more than \(limit * 100) %",
        suggestion: "raise `deletingAtMost` if they are to go")
    }
    try database.cachedStatement(
      sql:
        "DELETE FROM \(quoted(node.name)) WHERE \(node.identity) IN (SELECT id FROM \(Self.table))"
    ).execute()
    let deleted = database.changesCount
    try execute("DELETE FROM \(Self.table)", on: database)
    return deleted
  }
}
