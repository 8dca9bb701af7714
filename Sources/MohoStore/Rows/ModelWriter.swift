import GRDB
import GRDBSQLite
import MohoMapping

enum SaveOutcome {
  case inserted
  case updated
  case unchanged
  /// There is no row to update.
  case missing
}

/// Saves and deletes models of one type with one prepared statement each.
final class ModelWriter<Model: MappedModel> {
  private let database: Database
  private let entity: Entity
  private let mapping = Model.mapping
  private let writers: KeyWriters
  private let hasRules: Bool
  private let written: [Int]
  private let parameters: [Int32]
  private let identity: Int?
  private let upsert: BoundStatement
  private var insertion: BoundStatement?
  private var deletion: BoundStatement?
  /// The rows that were written; nil where they may be written again.
  private let log: SavedRowLog?
  private let updatedRow: UpdatedRow?
  private var count = 0
  private let copier: FieldCopier?

  /// - Parameter log: Notes the rows that are written, if given.
  init(_ database: Database, _ entity: Entity, log: SavedRowLog? = nil) throws {
    self.database = database
    self.log = log
    updatedRow = log == nil ? nil : ConnectionEquipment.updatedRow(of: database)
    self.entity = entity
    var count: Int32 = 0
    let parameters = mapping.keys.map { key -> Int32 in
      if !key.isStored { return 0 }
      count += 1
      return count
    }
    try mapping.checkDeclaration()
    writers = mapping.writers
    hasRules = mapping.hasRules
    written = mapping.mappingKeys.stored
    self.parameters = parameters
    identity = mapping.keys.firstIndex { $0.isStored && $0.name == entity.identityColumn }
    upsert = try BoundStatement(
      database, sql: entity.upsert, parameters: parameters, identity: identity, keys: mapping.keys)
    copier = mapping.copier(to: upsert.encoder)
  }

  /// Whether rows can be written without models.
  var copiesFields: Bool { copier != nil }

  /// Takes the fields of an object for the next row. Nothing of them is kept if
  /// that throws.
  func take(_ fields: any FieldDecoder) throws {
    do {
      try copier?.copy(from: fields)
    } catch {
      upsert.clear()
      throw error
    }
  }

  /// Saves the fields that were taken, and keeps nothing of them.
  ///
  /// - Throws: ``RepeatedRow`` where their row was updated before.
  func saveTaken() throws -> SaveOutcome {
    defer { copier?.writesAll == true ? upsert.encoder.forget() : upsert.clear() }
    try checkIdentity(upsert)
    return try noted(upsert.executeUpsert(identity: upsert.encoder.identityValue))
  }

  /// Saves the model that a pointer points to, which is not copied.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - index: Its position in the list that is saved, if any, for messages.
  /// - Throws: ``RepeatedRow`` where its row was updated before.
  func save(_ model: UnsafePointer<Model>, at index: Int?) throws -> SaveOutcome {
    try noted(save(model, at: index, by: upsert))
  }

  /// Saves a model unless its row is there.
  func insert(_ model: UnsafePointer<Model>, at index: Int?) throws -> SaveOutcome {
    let statement =
      try insertion
      ?? BoundStatement(
        database, sql: entity.insertion, parameters: parameters, identity: identity,
        keys: mapping.keys)
    insertion = statement
    return try save(model, at: index, by: statement)
  }

  /// The unique key of a model; nil where it equals no other.
  func key(of model: Model) throws -> UniqueKey? {
    guard let unique = entity.uniqueAttribute else { return nil }
    let recorder = FieldRecorder()
    try mapping.encode(model, only: unique.name, to: recorder)
    return recorder.contents.first.flatMap { UniqueKey($0) }
  }

  private func noted(_ outcome: SaveOutcome) throws -> SaveOutcome {
    guard let log, let updatedRow else { return outcome }
    switch outcome {
    case .unchanged, .missing: return outcome
    case .inserted:
      log.noteInsertion(sqlite3_last_insert_rowid(database.sqliteConnection))
      return outcome
    case .updated:
      count += 1
      switch log.noteUpdate(updatedRow.rowID, batch: count) {
      case .first: return outcome
      case .ofNewRow: return .unchanged
      case .repeated: throw RepeatedRow()
      }
    }
  }

  private func save(
    _ model: UnsafePointer<Model>, at index: Int?, by statement: BoundStatement
  ) throws -> SaveOutcome {
    statement.clear()
    do {
      try bind(model, to: statement)
    } catch let error as MappingError {
      throw index.map { error.inElement($0) } ?? error
    }
    let identity = statement.encoder.identityValue

    do {
      return try statement.executeUpsert(identity: identity)
    } catch let error as DatabaseError {
      throw StoreError(error, subject: subject(of: model.pointee))
    }
  }

  private func bind(_ model: UnsafePointer<Model>, to statement: BoundStatement) throws {
    if hasRules {
      let valid = try mapping.validated(model.pointee, writtenTo: statement.encoder)
      try withUnsafePointer(to: valid) { try writers.write($0, written, to: statement.encoder) }
    } else {
      try writers.write(model, written, to: statement.encoder)
    }
    try checkIdentity(statement)
  }

  /// Throws where the key that is the row ID is null: SQLite would make up one.
  private func checkIdentity(_ statement: BoundStatement) throws {
    guard statement.encoder.hasIdentity, statement.encoder.identityValue == nil else { return }
    throw MappingError(
      .unexpectedNull, model: entity.name, key: entity.identityColumn, found: "null",
      expected: "integer")
  }

  func delete(_ model: Model) throws -> Int {
    guard let unique = entity.uniqueAttribute else {
      throw StoreError(
        .invalidRequest,
        reason: "`\(entity.name)` has no unique key to delete a model by",
        suggestion: "delete the rows of a request")
    }
    let deletion =
      try self.deletion
      ?? BoundStatement(
        database,
        sql: "DELETE FROM \(quoted(entity.name)) WHERE \(quoted(unique.name)) = ?",
        parameters: mapping.keys.map { $0.isStored && $0.name == unique.name ? 1 : 0 },
        keys: mapping.keys)
    self.deletion = deletion
    deletion.clear()
    try mapping.encode(model, only: unique.name, to: deletion.encoder)
    try deletion.execute()
    return database.changesCount
  }

  private func subject(of model: Model) -> String {
    let recorder = FieldRecorder()
    guard let unique = entity.uniqueAttribute,
      (try? mapping.encode(model, only: unique.name, to: recorder)) != nil,
      let value = recorder.contents.first
    else { return "`\(entity.name)`" }
    return "`\(entity.name)` \(value.text)"
  }
}

extension Entity {
  /// The statement that inserts a row, or updates the row with the same unique
  /// key where a column differs. Its parameters are the attributes in order.
  fileprivate var upsert: String {
    if attributes.isEmpty { return "INSERT INTO \(quoted(name)) DEFAULT VALUES" }
    let columns = attributes.map { quoted($0.name) }
    // The alias keeps a table apart that is itself named `excluded`.
    let table = quoted("_moho_stored")
    var sql = "INSERT INTO \(quoted(name)) AS \(table) (\(columns.joined(separator: ", ")))"
    sql += " VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    guard let unique = uniqueAttribute else { return sql }
    let key = quoted(unique.name)
    let others = columns.filter { $0 != key }
    guard !others.isEmpty else { return sql + " ON CONFLICT (\(key)) DO NOTHING" }
    let assignments = others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    let differences = others.map { "\(table).\($0) IS NOT excluded.\($0)" }
    let isWritten = UpdatedRow.noting(
      "\(table).\(quoted(identityColumn))", where: differences.joined(separator: " OR "))
    return sql + " ON CONFLICT (\(key)) DO UPDATE SET \(assignments) WHERE \(isWritten)"
  }

  /// The statement that inserts a row unless one has its unique key.
  fileprivate var insertion: String {
    if attributes.isEmpty { return "INSERT INTO \(quoted(name)) DEFAULT VALUES" }
    let columns = attributes.map { quoted($0.name) }
    let conflict = uniqueAttribute.map { " ON CONFLICT (\(quoted($0.name))) DO NOTHING" } ?? ""
    return "INSERT INTO \(quoted(name)) (\(columns.joined(separator: ", ")))"
      + " VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))\(conflict)"
  }
}

extension FieldContent {
  fileprivate var text: String {
    switch self {
    case .null: "without a key"
    case .string(let text): MohoMapping.quoted(text)
    case .int64(let value): "\(value)"
    case .uint64(let value): "\(value)"
    default: "\(self)"
    }
  }
}
