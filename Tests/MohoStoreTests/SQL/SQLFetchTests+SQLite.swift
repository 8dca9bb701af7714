import Foundation
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

extension SQLFetchTests {
  /// Parameters of SQLite, with arguments and the IDs of the shows that the query returns.
  static let parameters: [(condition: String, arguments: [any FieldValue], ids: [Int])] = [
    ("length > ? AND season = ?", [40, 2], [3, 4]),
    ("title = :title", ["été"], [2]),
    ("?1 = id OR ?1 + 1 = id", [2], [2, 3]),
    ("id = ?2 AND title <> ?1", ["a", 3], [3]),
    ("id = $2 OR id = $1 OR id = $2", [1, 4], [1, 4]),
    ("id = $show", [4], [4]),
    ("id = ?2", [0, 3], [3]),
  ]

  @Test(.engine(.sqlite), arguments: parameters.indices)
  func parametersOfSQLiteAreArgumentsInTheirOrder(index: Int) throws {
    let (condition, arguments, ids) = Self.parameters[index]
    let fetched = try store.fetch(
      Shows.Show.self, sql: "SELECT * FROM Show WHERE \(condition) ORDER BY id",
      arguments: arguments)

    #expect(fetched.map(\.id) == ids)
  }

  @Test(.engine(.sqlite)) func aBlobIsNotALink() {
    let error = #expect(throws: MappingError.self) {
      _ = try store.fetchPartials(
        Shows.Show.self, sql: "SELECT x'01' AS podcast, id FROM Show WHERE id = 2")
    }
    #expect(error?.description.hasPrefix("invalid type: data of 1 bytes") == true)
  }

  @Test(.engine(.sqlite)) func pragmasThatReadAreQueries() throws {
    let partials = try store.fetchPartials(
      Shows.Show.self, sql: "SELECT name AS title FROM pragma_table_info('Podcast')")

    #expect(partials.contains { $0[\.title] == "guid" })
  }
}
