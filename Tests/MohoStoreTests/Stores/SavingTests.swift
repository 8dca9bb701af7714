import Fixtures
import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct SavingTests {
  @Test func textsOfAnyLengthArePreserved() throws {
    let store = try emptyStore(Episode.self)
    let lengths = [0, 1, 15, 16, 8_191, 8_192, 16_383, 16_384, 16_385, 100_000]
    let episodes = lengths.enumerated().flatMap { index, length in
      lengths.enumerated().map { other, otherLength in
        var episode = Episode.number(
          index * lengths.count + other, title: String(repeating: "t", count: length))
        episode.summary = String(repeating: "é", count: otherLength / 2)
        return episode
      }
    }

    try store.write { try $0.save(episodes) }

    #expect(try store.fetch(ModelRequest<Episode>()) == episodes)
  }

  @Test func modelsReadBackEqual() throws {
    let store = try emptyStore(Episode.self)
    var played = Episode.number(2, season: 1)
    played.isPlayed = true
    played.kind = .paid
    played.summary = "Été\(TestedEngine.current.storesNullCharacters ? "\0" : "\u{1}"), 播客 🎙"
    let models = [Episode.number(1), played]

    let report = try store.write { try $0.save(models) }

    #expect(report.inserted == 2)
    #expect(try store.fetch(ModelRequest<Episode>()) == models)
  }

  @Test func everyTypeReadsBackEqual() throws {
    let store = try emptyStore(Everything.self)
    let models = [
      Everything(
        name: "", int8: .min, uint16: .max, int64: .min, uint64: UInt64(Int64.max),
        double: -.infinity, float: .greatestFiniteMagnitude,
        decimal: Decimal(string: "12345678901234567890.123456789"), flag: true,
        date: .distantPast, data: Data(), uuid: UUID(), url: URL(string: "https://example.com/é")),
      Everything(
        name: "b", int8: .max, uint16: 0, int64: .max, uint64: nil, double: .leastNonzeroMagnitude,
        float: -0.0,
        decimal: nil, flag: false, date: Date(timeIntervalSinceReferenceDate: 0.25),
        data: Data([0, 255]), uuid: UUID(), url: nil),
    ]

    try store.write { try $0.save(models) }

    #expect(try store.fetch(ModelRequest<Everything>().order(by: \.name)) == models)
  }

  @Test func keysMayHaveAnyName() throws {
    let store = try emptyStore(Note.self)
    let note = Note(order: "DROP", description: "'; --")

    try store.write { try $0.save(note) }

    let request = ModelRequest<Note>().filter { $0.description == "'; --" }.order(by: \.order)
    #expect(try store.fetch(request) == [note])
  }

  @Test func savingTwiceWritesNoRow() throws {
    let store = try emptyStore(Episode.self)
    let models = (0..<10_000).map { Episode.number($0, season: $0 % 7 == 0 ? nil : $0 % 7) }
    try store.write { try $0.save(models) }
    let before = try store.writeMark(of: "Episode")

    let report = try store.write { try $0.save(models) }

    #expect(report == SaveReport(unchanged: 10_000))
    let after = try store.writeMark(of: "Episode")
    #expect(after == before)
  }

  @Test func aChangedModelUpdatesItsRow() throws {
    let store = try emptyStore(Episode.self)
    try store.write { try $0.save([Episode.number(1), .number(2)]) }

    let report = try store.write {
      try $0.save([Episode.number(1), .number(2, title: "New"), .number(3)])
    }

    #expect(report == SaveReport(inserted: 1, updated: 1, unchanged: 1))
    #expect(
      try store.fetch(ModelRequest<Episode>().order(by: \.id)).map(\.title)
        == ["Episode 1", "New", "Episode 3"])
  }

  @Test func aValueThatTurnsNilIsStored() throws {
    let store = try emptyStore(Episode.self)
    try store.write { try $0.save(Episode.number(1, season: 4)) }

    let report = try store.write { try $0.save(Episode.number(1, season: nil)) }

    #expect(report.updated == 1)
    #expect(try store.fetch(ModelRequest<Episode>()) == [.number(1, season: nil)])
  }

  @Test func theRowIDZeroAndNegativeOnesAreInserted() throws {
    let store = try emptyStore(Episode.self)

    var last = Episode.number(1)
    last.id = .max

    let report = try store.write { try $0.save([Episode.number(0), .number(-1), last]) }

    #expect(report.inserted == 3)
  }

  @Test func theSmallestRowIDIsCountedRightly() throws {
    let store = try emptyStore(Episode.self)

    let reports = try ["a", "b", "b"].map { title in
      var episode = Episode.number(1, title: title)
      episode.id = .min
      return try store.write { try $0.save(episode) }
    }

    #expect(
      reports == [SaveReport(inserted: 1), SaveReport(updated: 1), SaveReport(unchanged: 1)])
  }

  @Test func aModelMayBeNamedAsTheRowOfAnUpsert() throws {
    let store = try emptyStore(Price.self)
    try store.write { try $0.save(Price(id: 1, amount: 1)) }

    let report = try store.write { try $0.save(Price(id: 1, amount: 2)) }

    #expect(report.updated == 1)
    #expect(try store.fetch(ModelRequest<Price>()) == [Price(id: 1, amount: 2)])
  }

  @Test func aFieldThatIsNotWrittenIsNil() throws {
    struct Tag: MappedModel, Equatable {
      var id: Int
      var name: String
      static let mapping = Mapping(
        "Tag", Tag.init,
        .key("id", \.id, .unique),
        .key(
          "name", \.name,
          Transform<String>(
            .string, read: { try $0.string(at: $1) },
            write: { value, encoder, index in
              if !value.isEmpty { try encoder.encode(value, at: index) }
            })))
    }
    let store = try emptyStore(Tag.self)

    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.save([Tag(id: 1, name: "a"), Tag(id: 2, name: "")]) }
    }

    #expect(error?.code == .missingValue)
  }

  @Test func aRowIDIsNeverMadeUp() throws {
    struct Tag: MappedModel {
      var id: Int
      static let mapping = Mapping(
        "Tag", Tag.init,
        .key(
          "id", \.id,
          Transform<Int>(
            .integer, read: { try Int($0.int64(at: $1)) },
            write: { value, encoder, index in
              if value > 0 { try encoder.encode(Int64(value), at: index) }
            }),
          .unique))
    }
    let store = try emptyStore(Tag.self)

    let error = #expect(throws: MappingError.self) {
      try store.write { try $0.save([Tag(id: 1), Tag(id: 0)]) }
    }

    #expect(
      error?.description == "unexpected null: null, expected integer - `Tag.id` at /1/id")
    #expect(try store.fetchCount(ModelRequest<Tag>()) == 0)
  }

  @Test func aModelMayHaveNoStoredKeys() throws {
    struct Mark: MappedModel {
      var isShown = false
      static let mapping = Mapping("Mark", Mark.init, .transient(\.isShown, default: false))
    }
    let store = try emptyStore(Mark.self)

    let report = try store.write { try $0.save([Mark(), Mark()]) }

    #expect(report.inserted == 2)
    #expect(try store.fetch(ModelRequest<Mark>()).count == 2)
  }

  @Test func uniqueKeysOfEveryTypeTellRowsApart() throws {
    struct Entry<Key: FieldValue & Equatable>: MappedModel, Equatable {
      var key: Key
      var value: Int
      static var mapping: Mapping<Entry> {
        Mapping("Entry", Entry.init, .key("key", \.key, .unique), .key("value", \.value))
      }
    }
    func check<Key: FieldValue & Equatable>(_ keys: [Key]) throws {
      let store = try emptyStore(Entry<Key>.self)
      let first = keys.map { Entry(key: $0, value: 1) }
      #expect(try store.write { try $0.save(first) }.inserted == keys.count)
      let second = keys.map { Entry(key: $0, value: 2) }
      #expect(try store.write { try $0.save(second) }.updated == keys.count)
      #expect(
        try store.fetch(ModelRequest<Entry<Key>>().filter { $0.key.isOne(of: keys) }).count
          == keys.count)
      #expect(try store.write { try $0.delete(second) } == keys.count)
    }

    try check([true, false])
    try check([EpisodeKind.free, .paid])
    try check([Data(), Data([0]), Data([0, 0])])
    try check([Date.distantPast, Date(timeIntervalSinceReferenceDate: 0.1), .distantFuture])
    try check(["a", "A", "", "é", "e\u{301}", "a\u{1}", "a\u{1}b"])
    if TestedEngine.current.storesNullCharacters { try check(["a", "a\0", "a\0b"]) }
    try check([0, 1, UInt64(Int64.max)])
    try check([Decimal(0), 1, Decimal(string: "1.5") ?? 0, -1])
  }

  @Test func aNilUniqueKeyMatchesNothing() throws {
    struct Guest: MappedModel, Equatable {
      var email: String?
      static let mapping = Mapping("Guest", Guest.init, .key("email", \.email, .unique))
    }
    let store = try emptyStore(Guest.self)

    let report = try store.write {
      try $0.save([Guest(email: nil), Guest(email: nil), Guest(email: "a"), Guest(email: "a")])
    }

    #expect(report == SaveReport(inserted: 3, unchanged: 1))
    #expect(try store.write { try $0.delete([Guest(email: nil)]) } == 0)
  }

  @Test func anIntegerThatDoesNotFitIsRefused() throws {
    struct Big: MappedModel {
      var id: UInt64
      static let mapping = Mapping("Big", Big.init, .key("id", \.id, .unique))
    }
    let store = try emptyStore(Big.self)

    #expect(throws: MappingError.self) { try store.write { try $0.save(Big(id: .max)) } }
    #expect(throws: StoreError.self) {
      try store.fetchCount(ModelRequest<Big>().filter { $0.id == .max })
    }
  }

  @Test func deletingWithoutAUniqueKeyIsRefused() throws {
    let store = try emptyStore(Note.self)

    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.delete([Note(order: "", description: "")]) }
    }

    #expect(error?.code == .invalidRequest)
  }

  @Test func aDecimalIsReadInFull() throws {
    let store = try emptyStore(Price.self)
    let amounts = [
      Decimal(sign: .plus, exponent: 127, significand: 1),
      Decimal(sign: .minus, exponent: -127, significand: 3), .greatestFiniteMagnitude, 0,
    ]
    let prices = amounts.enumerated().map { Price(id: $0, amount: $1) }
    try store.write { try $0.save(prices) }

    #expect(try store.fetch(ModelRequest<Price>()) == prices)
  }

  @Test func withoutAUniqueKeyEachSaveIsANewRow() throws {
    let store = try emptyStore(Note.self)
    let note = Note(order: "a", description: "b")

    try store.write { try $0.save([note, note]) }

    #expect(try store.fetchCount(ModelRequest<Note>()) == 2)
  }

  @Test func anErrorLeavesTheStoreAsItWas() throws {
    let store = try emptyStore(Episode.self, Everything.self)
    try store.write { try $0.save(Episode.number(1)) }

    let error = #expect(throws: MappingError.self) {
      try store.write { writer in
        try writer.save(Episode.number(1, title: "New"))
        try writer.save(Episode.number(2))
        try writer.save(
          Everything(
            name: "nan", int8: 0, uint16: 0, int64: 0, uint64: 0, double: .nan, float: 0,
            decimal: 0, flag: true, date: .now, data: Data(), uuid: UUID(), url: nil))
      }
    }

    #expect(
      error?.description
        == "invalid value: not a number, expected number - `Everything.double` at /double")
    #expect(try store.fetch(ModelRequest<Episode>()) == [.number(1)])
  }

  @Test func aWriteInsideAWriteIsUndoneAlone() throws {
    struct Refusal: Error {}
    let store = try emptyStore(Episode.self)

    try store.write { writer in
      try writer.save(Episode.number(1))
      #expect(throws: Refusal.self) {
        try store.write {
          try $0.save(Episode.number(2))
          throw Refusal()
        }
      }
    }

    #expect(try store.fetch(ModelRequest<Episode>()) == [.number(1)])
  }

  @Test func modelsAreDeletedByTheirUniqueKeys() throws {
    let store = try emptyStore(Episode.self)
    try store.write { try $0.save((1...5).map { Episode.number($0) }) }

    let count = try store.write { try $0.delete([Episode.number(2, title: "any"), .number(9)]) }
    let more = try store.write { try $0.delete(ModelRequest<Episode>().filter { $0.id > 3 }) }

    #expect(count == 1)
    #expect(more == 2)
    #expect(try store.fetch(ModelRequest<Episode>()).map(\.id) == [1, 3])
  }

  @Test func aRowThatFitsNoModelIsAnErrorWithItsPath() throws {
    let store = try emptyStore(Episode.self)
    try store.write { try $0.save(Episode.number(7)) }
    try store.execute("UPDATE \"Episode\" SET kind = 'x'")

    let error = #expect(throws: MappingError.self) { try store.fetch(ModelRequest<Episode>()) }

    #expect(
      error?.description
        == "invalid value: string \"x\", expected one of \"free\", \"paid\""
        + " - `Episode.kind` at /Episode/7/kind")
  }
}
