import GRDB
import MohoMapping
import MohoRows

/// Updates the rows of one model from partial models, with one prepared
/// statement for each set of present keys.
final class PartialWriter<Model: MappedModel> {
  private let database: Database
  private let entity: Entity
  private let mapping = Model.mapping
  private let unique: Attribute
  private var updates: [[String]: RowFieldEncoder] = [:]
  /// The log of written rows, or nil if rows may be written several times.
  private let log: SavedRowLog?
  private let updatedRow: UpdatedRow?

  /// - Parameter log: The log of written rows, or nil if rows may be written
  ///   several times.
  init(_ database: Database, _ entity: Entity, log: SavedRowLog? = nil) throws {
    guard let unique = entity.uniqueAttribute else {
      throw StoreError(
        .invalidRequest,
        reason: "`\(entity.name)` has no unique key to find the row of a partial model by",
        suggestion: "save whole models")
    }
    self.database = database
    self.entity = entity
    self.unique = unique
    self.log = log
    updatedRow = log == nil ? nil : ConnectionFunctions.updatedRow(of: database)
  }

  /// - Throws: A ``RepeatedRow`` if the row has been updated before.
  func update(_ partial: Partial<Model>) throws -> SaveOutcome {
    try check(partial)
    // The partial model may contain properties that have no column.
    let others = partial.keys.filter { $0.isStored && $0.name != unique.name }.map(\.name)
    if !others.isEmpty {
      let update = try update(of: others)
      update.clear()
      try mapping.encode(partial, order: mapping.mappingKeys.stored, to: update)
      do {
        try update.statement.execute()
      } catch let error as DatabaseError {
        throw StoreError(error, subject: "\(partial)")
      }
      if update.statement.changesCount > 0 {
        if let log, let updatedRow,
          case .repeated = log.recordUpdate(updatedRow.rowID, of: others)
        {
          throw RepeatedRow()
        }
        return .updated
      }
    }
    return try isStored(partial) ? .unchanged : .missing
  }

  /// Throws an error if a partial model does not identify a row.
  func check(_ partial: Partial<Model>) throws {
    guard !partial.keys.contains(where: { $0.isStored && $0.name == unique.name }) else { return }
    throw StoreError(
      .invalidRequest,
      subject: "\(partial)",
      reason: "the partial model does not have the unique key `\(unique.name)`",
      suggestion: "set it, to tell which row is meant")
  }

  /// Returns the unique key of a partial model, or null.
  func key(of partial: Partial<Model>) throws -> FieldContent {
    let recorder = FieldRecorder()
    try mapping.encode(partial, to: recorder)
    let position = partial.keys.firstIndex { $0.isStored && $0.name == unique.name }
    return position.map { recorder.contents[$0] } ?? .null
  }

  private func isStored(_ partial: Partial<Model>) throws -> Bool {
    let sql = "SELECT 1 FROM \(quotedName(entity.name)) WHERE \(quotedName(unique.name)) = ?"
    return try PreparedStatement(database, SQLQuery(sql, [key(of: partial)])).hasRow()
  }

  private func update(of names: [String]) throws -> RowFieldEncoder {
    if let update = updates[names] { return update }
    let numbers = Dictionary(
      uniqueKeysWithValues: ([unique.name] + names).enumerated().map { ($1, Int32($0 + 1)) })
    let assignments = names.map { "\(quotedName($0)) = ?\(numbers[$0] ?? 0)" }
    let differences = names.map { "\(quotedName($0)) IS NOT ?\(numbers[$0] ?? 0)" }
      .joined(separator: " OR ")
    let isWritten = UpdatedRow.noting(quotedName(entity.identityColumn), where: differences)
    let sql = """
      UPDATE \(quotedName(entity.name)) SET \(assignments.joined(separator: ", ")) \
      WHERE \(quotedName(unique.name)) = ?1 AND \(isWritten)
      """
    let update = RowFieldEncoder(
      try PreparedStatement(database, sql, reusesMemory: true),
      parameters: mapping.keys.map { $0.isStored ? numbers[$0.name] ?? 0 : 0 }, keys: mapping.keys)
    updates[names] = update
    return update
  }
}
