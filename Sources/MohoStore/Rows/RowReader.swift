import GRDB
import MohoMapping

/// Steps through the rows of a statement and makes a model of each.
final class RowReader<Model: MappedModel> {
  private let rows: RowCursor
  private let mapping: Mapping<Model>
  private let decoder: RowFieldDecoder
  private let identityColumn: Int32

  /// - Parameter sql: Selects the columns of ``Entity/selection(of:)``.
  init(
    _ database: Database, sql: String, _ arguments: [DatabaseValue], entity: Entity
  ) throws {
    let statement = try database.cachedStatement(sql: sql)
    rows = try Row.fetchCursor(statement, arguments: StatementArguments(arguments))
    mapping = Model.mapping
    decoder = RowFieldDecoder(
      statement: statement.sqliteStatement, entity: entity, keys: mapping.keys)
    identityColumn = Int32(mapping.keys.count)
  }

  /// The model of the next row, or nil after the last one.
  func next() throws -> Model? {
    guard try rows.next() != nil else { return nil }
    return try mapping.model(from: decoder)
  }
}

extension Entity {
  /// The select list from which models are read: the column of each key at the
  /// position that it has in the mapping, then the identity.
  func selection<Model>(of mapping: Mapping<Model>) -> [String] {
    mapping.keys.map { $0.isTransient ? "NULL" : quoted($0.name) } + [quoted(identityColumn)]
  }
}
