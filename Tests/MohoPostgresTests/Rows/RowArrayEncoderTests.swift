import MohoMapping
import Testing

@testable import MohoPostgres

@Suite struct RowArrayEncoderTests {
  @Test func `the last of several values of a key is written`() throws {
    let encoder = RowArrayEncoder(
      [.int8, .int8], columns: [0, 1], keyColumns: [0], entity: "Card", keys: [])

    try encoder.encode(Int64(7), at: 0)
    try encoder.encodeNull(at: 0)
    try encoder.encodeNull(at: 1)
    try encoder.encode(Int64(8), at: 1)

    #expect(encoder.integerKey == nil)
    encoder.endRow()
    #expect(encoder.rows.count == 1)
    #expect(encoder.rows.columns.map(\.count) == [1, 1])
  }
}
