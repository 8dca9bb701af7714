import GRDB
import MohoMapping
import MohoTesting
import StoreTesting
import Testing

@testable import MohoRows
@testable import MohoSQLite

extension CollationTests {
  @Test(.engine(.sqlite)) func theCollationOfSQLComparesTextsLikeMemory() throws {
    let store = try Self.names([])
    var generator = SeededGenerator(seed: 3)
    for locale in ["en", "sv", "cs"] {
      let collator = TextCollator(
        TextCollation(localeIdentifier: locale, comparesNumbers: true), usesSortKeys: false)
      for _ in 0..<200 {
        let contents = [0, 1].map { _ in collator.sortContent(of: Self.text(&generator)) }
        guard case (.string(let one), .string(let other)) = (contents[0], contents[1]) else {
          Issue.record("values are not texts")
          return
        }
        let isLess = try store.writer.read { database in
          try Bool.fetchOne(
            database, sql: "SELECT ?1 < ?2 COLLATE \(SQLFunctionName.textCollation)",
            arguments: [one, other])
        }
        #expect(isLess == (TextCollator.order(one, other) < 0), "\(one), \(other)")
      }
    }
  }
}
