import MohoRows

/// Executes the steps of a migration on a connection.
struct MigrationRun {
  private let connection: PostgresConnection
  private let onProgress: (@Sendable (MigrationProgress) throws -> Void)?
  private var step = 0

  init(
    _ connection: PostgresConnection,
    _ onProgress: (@Sendable (MigrationProgress) throws -> Void)?
  ) {
    self.connection = connection
    self.onProgress = onProgress
  }

  /// Executes the steps of a declared migration.
  ///
  /// - Parameter migrations: All declared migrations that are executed.
  mutating func declared(
    _ migration: Migration, _ migrator: PostgresMigrator, of migrations: [Migration]
  ) throws {
    let position = migrations.firstIndex { $0.name == migration.name } ?? 0
    let later = migrations.dropFirst(position + 1).flatMap(\.steps)
    for (index, declared) in migration.steps.enumerated() {
      step += 1
      let summary = "\(migration.name): \(declared.summary)"
      let count = step + migration.steps.count - index - 1
      do {
        try report(summary, 0, of: count)
        let stored = try migrator.storedTables(connection, including: declared.entities)
        let renamings = (Array(migration.steps.dropFirst(index + 1)) + later).compactMap { step in
          if case .rename(let renaming) = step { renaming } else { nil }
        }
        let names = FinalNames(
          schema: migrator.schema,
          renamings: renamings + migrator.configuration.renamings + migrator.schema.renamings)
        if declared.altersTables { try connection.execute(Self.immediateChecks) }
        try run(declared, stored, names) { try report(summary, $0, of: count) }
        if declared.altersTables { try connection.execute(Self.deferredChecks) }
      } catch {
        throw StoreError(
          error, in: declared, of: migration,
          passing: [.connectionLost, .accessDenied, .conflict, .danglingReference])
      }
    }
  }

  /// Makes statements check their foreign keys, also those of rows that have been
  /// written. PostgreSQL cannot alter a table with unchecked foreign keys, which
  /// any update of a rewritten table can leave.
  private static let immediateChecks = "SET CONSTRAINTS ALL IMMEDIATE"
  private static let deferredChecks = "SET CONSTRAINTS ALL DEFERRED"

  private func run(
    _ step: DeclaredStep, _ stored: StoredSchema, _ names: FinalNames,
    _ progress: (Int) throws -> Void
  ) throws {
    switch step {
    case .rename(let renaming):
      var stored = stored
      guard let rename = stored.rename(renaming) else {
        throw StoreError(impossible: renaming)
      }
      for sql in rename.sql { try connection.execute(sql) }
    case .transform(let transform):
      try transform.run(connection, stored, names, progress: progress)
    case .convert(let conversion):
      // Models can be saved in any order.
      try connection.execute(Self.deferredChecks)
      try conversion.run(connection, stored, progress)
    case .discard, .keep: break
    case .sql(let sql): try execute(AppSQL(sql))
    case .run(let summary, let step):
      throw StoreError(unsupported: step, summary)
    }
  }

  /// Executes the SQL of a declared migration. If it alters a table after writing links, it
  /// runs again, and each statement checks its foreign keys.
  private func execute(_ sql: AppSQL) throws {
    do {
      try connection.withSavepoint { try connection.execute(sql) }
    } catch let error as StoreError
      where (error.underlying as? PostgresError)?.sqlState == "55006"
    {
      try connection.execute(Self.immediateChecks)
      try connection.execute(sql)
      try connection.execute(Self.deferredChecks)
    }
  }

  /// Executes inferred steps. If no progress is reported, all of them take one
  /// round trip.
  ///
  /// - Parameters:
  ///   - count: The number of all inferred steps.
  ///   - first: Statements that run before the steps.
  ///   - last: Statements that run after the steps.
  mutating func perform(
    _ steps: [MigrationStep], of count: Int, after first: [String] = [],
    before last: [String] = []
  ) throws {
    var sql = [Self.immediateChecks] + first
    for inferred in steps {
      step += 1
      sql += inferred.sql
      guard onProgress != nil else { continue }
      try report(inferred.summary, 0, of: max(count, step))
      try executeTogether(sql)
      sql = []
    }
    try executeTogether(sql + last)
  }

  /// Moves unknown members.
  mutating func perform(_ moves: MemberMoves, _ schema: Schema) throws {
    guard !moves.steps.isEmpty else { return }
    step += 1
    let run = self
    try run.report(moves.summary, 0, of: step)
    try PostgresSession.run(on: connection, schema, isWriting: true) { session in
      try moves.run(session, { try run.connection.contents($0, $1) }) {
        try run.report(moves.summary, $0, of: run.step)
      }
    }
  }

  private func executeTogether(_ statements: [String]) throws {
    if !statements.isEmpty { try connection.execute(statements.joined(separator: ";\n")) }
  }

  private func report(_ summary: String, _ rows: Int, of count: Int) throws {
    try onProgress?(
      MigrationProgress(step: step, stepCount: count, summary: summary, rows: rows))
  }
}

extension DeclaredStep {
  fileprivate var altersTables: Bool {
    switch self {
    case .rename, .transform, .convert: true
    case .discard, .keep, .sql, .run: false
    }
  }

  /// The names of the entities whose tables the step needs.
  var entities: [String] {
    switch self {
    case .rename(let renaming): [renaming.part.entity, renaming.oldName]
    case .transform(let transform): [transform.entity]
    case .convert(let conversion): [conversion.oldEntity, conversion.newEntity]
    case .discard, .keep, .sql, .run: []
    }
  }
}

/// The declared names of entities and keys that later steps rename.
struct FinalNames {
  let schema: Schema
  let renamings: [Renaming]

  /// Returns the declared attribute that a key of an entity becomes, or nil if
  /// it is not declared.
  func attribute(_ key: String, of entity: String) -> (attribute: Attribute, isIdentity: Bool)? {
    var (entity, key) = (entity, key)
    for renaming in renamings {
      if let newKey = renaming.part.key {
        if renaming.part.entity == entity, renaming.oldName == key { key = newKey }
      } else if renaming.oldName == entity {
        entity = renaming.part.entity
      }
    }
    guard let declared = schema.entity(entity), let attribute = declared.attribute(key) else {
      return nil
    }
    return (attribute, declared.identityColumn == key)
  }
}
