import Foundation
import MohoMapping
import Testing

@testable import MohoRows
@testable import MohoSQLite

/// Unique keys are equal as a database compares values.
@Suite struct UniqueKeyTests {
  @Test func nullEqualsNoKey() {
    #expect(UniqueKey(FieldContent.null) == nil)
  }

  @Test func textsAreEqualByTheirBytes() {
    let composed = UniqueKey(.string("\u{E9}"))
    let decomposed = UniqueKey(.string("e\u{301}"))

    #expect(composed != decomposed)
    #expect(composed == UniqueKey(.string("\u{E9}")))
    #expect(composed?.hashValue == UniqueKey(.string("\u{E9}"))?.hashValue)
  }

  @Test func integersAreEqualWithAndWithoutASign() {
    #expect(UniqueKey(.uint64(7)) == UniqueKey(.int64(7)))
    #expect(UniqueKey(.uint64(.max)) != UniqueKey(.int64(-1)))
  }

  @Test func negativeZeroIsZero() {
    #expect(UniqueKey(.double(-0.0)) == UniqueKey(.double(0)))
    #expect(UniqueKey(.double(0)) != UniqueKey(.int64(0)))
  }

  @Test func aKeyOfSeveralColumnsIsNullIfOneIs() {
    let shelf = RowIdentity(entity: "Shelf", stored: 1)
    let row = FetchedRow(
      identity: RowIdentity(entity: "Book", stored: 2), attributes: [.string("a"), .null],
      targets: [shelf, nil])

    let key = UniqueKey(row, [.attribute(0), .slot(0)])
    #expect(key?.parts == [.content(.string("a")), .row(shelf)])
    #expect(UniqueKey(row, [.attribute(0), .attribute(1)]) == nil)
    #expect(UniqueKey(row, [.attribute(0), .slot(1)]) == nil)
  }
}
