import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

extension SavingTests {
  @Test(.engine(.sqlite)) func theLastInsertedRowIDIsThatOfAnInsertion() throws {
    let store = try emptyStore(Episode.self)
    try store.write { try $0.save([Episode.number(7), .number(5)]) }

    try store.write { try $0.save([Episode.number(7, title: "New"), .number(5)]) }

    #expect(try store.writer.unsafeReentrantWrite { $0.lastInsertedRowID } == 5)
  }

  @Test(.engine(.sqlite), arguments: ["12abc", "", "0x10", "nan", "1-2", " 1"])
  func aTextThatIsNotADecimalIsAnError(_ text: String) throws {
    let store = try emptyStore(Price.self)
    try store.write { try $0.save(Price(id: 1, amount: 1)) }
    try store.execute("UPDATE Excluded SET amount = \(sqlLiteral(text))")

    #expect(throws: MappingError.self) { try store.fetch(ModelRequest<Price>()) }
  }

  @Test(.engine(.sqlite)) func datesAreNotRounded() throws {
    let store = try emptyStore(Episode.self)
    var episode = Episode.number(1)
    episode.publishedAt = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)

    try store.write { try $0.save(episode) }

    #expect(try store.fetch(ModelRequest<Episode>()) == [episode])
  }
}
