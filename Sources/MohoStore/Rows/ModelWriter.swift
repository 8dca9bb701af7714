import GRDB
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
  private let upsert: BoundStatement
  private var deletion: BoundStatement?
  private let copier: FieldCopier?

  init(_ database: Database, _ entity: Entity) throws {
    self.database = database
    self.entity = entity
    var count: Int32 = 0
    let parameters = mapping.keys.map { key -> Int32 in
      if key.isTransient { return 0 }
      count += 1
      return count
    }
    try mapping.checkDeclaration()
    writers = mapping.writers
    hasRules = mapping.hasRules
    written = mapping.table.written
    upsert = try BoundStatement(
      database, sql: entity.upsert, parameters: parameters,
      identity: mapping.keys.firstIndex { !$0.isTransient && $0.name == entity.identityColumn },
      keys: mapping.keys)
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
  func saveTaken() throws -> SaveOutcome {
    defer { copier?.writesAll == true ? upsert.encoder.forget() : upsert.clear() }
    try checkIdentity()
    return try upsert.executeUpsert(identity: upsert.encoder.identityValue)
  }

  /// Saves the model that a pointer points to, which is not copied.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - index: Its position in the list that is saved, if any, for messages.
  func save(_ model: UnsafePointer<Model>, at index: Int?) throws -> SaveOutcome {
    upsert.clear()
    do {
      try bind(model)
    } catch let error as MappingError {
      throw index.map { error.inElement($0) } ?? error
    }
    let identity = upsert.encoder.identityValue

    do {
      return try upsert.executeUpsert(identity: identity)
    } catch let error as DatabaseError {
      throw StoreError(error, subject: subject(of: model.pointee))
    }
  }

  private func bind(_ model: UnsafePointer<Model>) throws {
    if hasRules {
      let valid = try mapping.validated(model.pointee)
      try withUnsafePointer(to: valid) { try writers.write($0, written, to: upsert.encoder) }
    } else {
      try writers.write(model, written, to: upsert.encoder)
    }
    try checkIdentity()
  }

  /// Throws where the key that is the row ID is null: SQLite would make up one.
  private func checkIdentity() throws {
    guard upsert.encoder.hasIdentity, upsert.encoder.identityValue == nil else { return }
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
        parameters: mapping.keys.map { $0.name == unique.name ? 1 : 0 }, keys: mapping.keys)
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
    return sql + " ON CONFLICT (\(key)) DO UPDATE SET \(assignments)"
      + " WHERE \(differences.joined(separator: " OR "))"
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
