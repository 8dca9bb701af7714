import MohoMapping

/// Executes a statement. See ``MemberMigration/findings(isPlan:_:)``.
typealias MigrationQuery = (String, [FieldContent]) throws -> [[FieldContent]]

/// The objects with those values of rows that become unknown members, in a temporary table. The
/// columns with the values are dropped before the members are moved.
package struct RetainedDocuments: Sendable {
  /// The beginning of the name of each such table.
  package static let prefix = "_moho retained "

  private let table: String

  /// The greatest number of documents that one statement inserts.
  private static let batchSize = 100

  /// Creates the table.
  init(of migration: MemberMigration, _ query: MigrationQuery) throws {
    let number = migration.compiled.entity(migration.entity)?.index ?? 0
    table = quotedName("\(Self.prefix)\(number)")
    _ = try query(
      """
      CREATE TEMPORARY TABLE \(table) (
        id BIGINT NOT NULL, position BIGINT NOT NULL, document TEXT NOT NULL,
        PRIMARY KEY (id, position))
      """, [])
  }

  func insert(
    _ documents: [(row: Int64, documents: [String])], _ query: MigrationQuery
  ) throws {
    let values = documents.flatMap { row, documents in
      documents.enumerated().map { position, document in
        [FieldContent.int64(row), .int64(Int64(position)), .string(document)]
      }
    }
    for start in stride(from: 0, to: values.count, by: Self.batchSize) {
      let batch = values[start..<min(start + Self.batchSize, values.count)]
      let lists = batch.indices.map { index in
        let first = 3 * (index - start)
        return "($\(first + 1), $\(first + 2), $\(first + 3))"
      }
      _ = try query(
        "INSERT INTO \(table) (id, position, document) VALUES \(lists.joined(separator: ", "))",
        Array(batch.joined()))
    }
  }

  /// Returns the objects of each row.
  ///
  /// - Parameter rows: The identities of consecutive rows, in ascending order.
  func documents(of rows: [Int64], _ query: MigrationQuery) throws -> [Int64: [String]] {
    guard let first = rows.first, let last = rows.last else { return [:] }
    let found = try query(
      "SELECT id, document FROM \(table) WHERE id >= $1 AND id <= $2 ORDER BY id, position",
      [.int64(first), .int64(last)])
    var documents: [Int64: [String]] = [:]
    for row in found {
      guard case .int64(let id) = row[0], case .string(let document) = row[1] else { continue }
      documents[id, default: []].append(document)
    }
    return documents
  }

  func drop(_ query: MigrationQuery) throws { _ = try query("DROP TABLE \(table)", []) }
}
