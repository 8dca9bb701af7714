import GRDB
import MohoMapping

/// Updates the rows of one model from partial models, with one prepared
/// statement for each set of keys that are present.
final class PartialWriter<Model: MappedModel> {
  private let database: Database
  private let entity: Entity
  private let mapping = Model.mapping
  private let unique: Attribute
  private var updates: [[String]: BoundStatement] = [:]

  init(_ database: Database, _ entity: Entity) throws {
    guard let unique = entity.uniqueAttribute else {
      throw StoreError(
        .invalidRequest,
        reason: "`\(entity.name)` has no unique key to find the row of a partial model by",
        suggestion: "save whole models")
    }
    self.database = database
    self.entity = entity
    self.unique = unique
  }

  func update(_ partial: Partial<Model>) throws -> SaveOutcome {
    try check(partial)
    // Properties that are no columns may be present.
    let others = partial.keys.filter { !$0.isTransient && $0.name != unique.name }.map(\.name)
    if !others.isEmpty {
      let update = try update(of: others)
      update.clear()
      try mapping.encode(partial, order: mapping.table.written, to: update.encoder)
      do {
        try update.execute()
      } catch let error as DatabaseError {
        throw StoreError(error, subject: "\(partial)")
      }
      if database.changesCount > 0 { return .updated }
    }
    return try isStored(partial) ? .unchanged : .missing
  }

  /// Throws where a partial model does not say which row it means.
  func check(_ partial: Partial<Model>) throws {
    guard !partial.keys.contains(where: { $0.name == unique.name }) else { return }
    throw StoreError(
      .invalidRequest,
      subject: "\(partial)",
      reason: "the partial model does not have the unique key `\(unique.name)`",
      suggestion: "set it, to tell which row is meant")
  }

  private func isStored(_ partial: Partial<Model>) throws -> Bool {
    let recorder = FieldRecorder()
    try mapping.encode(partial, to: recorder)
    let position = partial.keys.firstIndex { $0.name == unique.name }
    let value = try position.map { try recorder.contents[$0].databaseValue } ?? .null
    return try Bool.fetchOne(
      database.cachedStatement(
        sql: "SELECT 1 FROM \(quoted(entity.name)) WHERE \(quoted(unique.name)) = ?"),
      arguments: [value]) ?? false
  }

  private func update(of names: [String]) throws -> BoundStatement {
    if let update = updates[names] { return update }
    let numbers = Dictionary(
      uniqueKeysWithValues: ([unique.name] + names).enumerated().map { ($1, Int32($0 + 1)) })
    let assignments = names.map { "\(quoted($0)) = ?\(numbers[$0] ?? 0)" }
    let differences = names.map { "\(quoted($0)) IS NOT ?\(numbers[$0] ?? 0)" }
    let update = try BoundStatement(
      database,
      sql: """
        UPDATE \(quoted(entity.name)) SET \(assignments.joined(separator: ", ")) \
        WHERE \(quoted(unique.name)) = ?1 AND (\(differences.joined(separator: " OR ")))
        """,
      parameters: mapping.keys.map { numbers[$0.name] ?? 0 }, keys: mapping.keys)
    updates[names] = update
    return update
  }
}
