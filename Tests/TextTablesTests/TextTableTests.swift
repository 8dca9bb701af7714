import Testing
import TextTables

@Suite struct TextTableTests {
  @Test func columnsAreAlignedAndEmptyColumnsAreOmitted() {
    let table = TextTable(rows: [["a", "", "1"], ["日本", "", "10"]], rightAligned: [2])

    #expect(table.lines == ["a      1", "日本  10"])
  }

  @Test func tablesInSectionsHaveCommonColumnWidths() {
    let lines = TextTable.lines(
      of: [("One\n", [["a", "b"]]), ("Two", []), (nil, [["long", "c"]])], width: 8)

    #expect(lines == [#"One\n"#, "a     b", "Two", "long  c"])
  }

  @Test func columnsOfLaterPartsAreAtLeastAsWide() {
    var widths: [Int] = []
    let lines = [[["a", "b", "x"]], [["long", "", "y"]], [["c", "d", "z"]]].flatMap { rows in
      TextTable.lines(of: [(nil, rows)], columnWidths: &widths)
    }

    #expect(lines == ["a  b  x", "long     y", "c     d  z"])
    #expect(widths == [4, 1, 1])
  }

  @Test func headingsAndRowsAreTruncated() {
    #expect(TextTable.lines(of: [("Heading", [["abcdef"]])], width: 4) == ["Hea…", "abc…"])
  }
}
