import DocumentationTesting
import Testing

/// The table of the article "Comparing SQLite and PostgreSQL stores".
@Suite struct ComparingEnginesTests {
  private let article = Article("Sources/MohoPostgres/MohoPostgres.docc/ComparingEngines.md")

  @Test func `there are few differences, each with a reason`() throws {
    let rows = try article.tableRows.map { row in
      row.dropFirst().dropLast().split(separator: "|").map { cell in
        String(cell.drop(while: \.isWhitespace))
      }
    }
    #expect(rows.first?.last?.hasPrefix("why") == true)
    #expect(rows.count - 2 <= 12)
    for row in rows.dropFirst(2) {
      #expect(row.count == 4 && row.allSatisfy { !$0.isEmpty }, "\(row)")
    }
  }
}
