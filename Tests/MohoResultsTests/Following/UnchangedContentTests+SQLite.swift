import StoreTesting
import Testing

extension UnchangedContentTests {
  @Test(
    .engine(.sqlite),
    arguments: [
      """
      INSERT OR REPLACE INTO _moho_Show_guests (source, target, target_position)
        SELECT source, target, target_position FROM _moho_Show_guests
      """,
      "INSERT OR REPLACE INTO Segment SELECT * FROM Segment",
    ])
  func replacingRowsByEqualRowsReportsNothing(_ sql: String) throws {
    try writingTheSameValuesReportsNothing(sql)
  }
}
