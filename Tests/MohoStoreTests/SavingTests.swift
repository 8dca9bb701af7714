import Foundation
import GRDB
import MohoMapping
import MohoStore
import Testing

@Suite struct SavingTests {
  @Test func modelsReadBackEqual() throws {
    let store = try ModelStore(inMemory: Episode.self)
    var played = Episode.number(2, season: 1)
    played.isPlayed = true
    played.kind = .paid
    played.summary = "Été\u{0}, 播客 🎙"
    let models = [Episode.number(1), played]

    let report = try store.write { try $0.save(models) }

    #expect(report.inserted == 2)
    #expect(try store.models(ModelRequest<Episode>()) == models)
  }

  @Test func everyTypeReadsBackEqual() throws {
    let store = try ModelStore(inMemory: Everything.self)
    let models = [
      Everything(
        name: "", int8: .min, uint16: .max, int64: .min, uint64: UInt64(Int64.max),
        double: -.infinity, float: .greatestFiniteMagnitude,
        decimal: Decimal(string: "12345678901234567890.123456789"), flag: true,
        date: .distantPast, data: Data(), uuid: UUID(), url: URL(string: "https://example.com/é")),
      Everything(
        name: "b", int8: .max, uint16: 0, int64: .max, uint64: nil, double: .leastNonzeroMagnitude,
        float: -0.0,
        decimal: nil, flag: false, date: Date(timeIntervalSinceReferenceDate: 0.1 + 0.2),
        data: Data([0, 255]), uuid: UUID(), url: nil),
    ]

    try store.write { try $0.save(models) }

    #expect(try store.models(ModelRequest<Everything>().order(by: \.name)) == models)
  }

  @Test func keysMayHaveAnyName() throws {
    let store = try ModelStore(inMemory: Note.self)
    let note = Note(order: "DROP", description: "'; --")

    try store.write { try $0.save(note) }

    let request = ModelRequest<Note>().filter { $0.description == "'; --" }.order(by: \.order)
    #expect(try store.models(request) == [note])
  }

  @Test func savingTwiceWritesNoRow() throws {
    let store = try ModelStore(inMemory: Episode.self)
    let models = (0..<10_000).map { Episode.number($0, season: $0 % 7 == 0 ? nil : $0 % 7) }
    try store.write { try $0.save(models) }
    let before = store.writer.unsafeReentrantWrite { $0.totalChangesCount }

    let report = try store.write { try $0.save(models) }

    #expect(report == SaveReport(unchanged: 10_000))
    let after = store.writer.unsafeReentrantWrite { $0.totalChangesCount }
    #expect(after == before)
  }

  @Test func aChangedModelUpdatesItsRow() throws {
    let store = try ModelStore(inMemory: Episode.self)
    try store.write { try $0.save([Episode.number(1), .number(2)]) }

    let report = try store.write {
      try $0.save([Episode.number(1), .number(2, title: "New"), .number(3)])
    }

    #expect(report == SaveReport(inserted: 1, updated: 1, unchanged: 1))
    #expect(
      try store.models(ModelRequest<Episode>().order(by: \.id)).map(\.title)
        == ["Episode 1", "New", "Episode 3"])
  }

  @Test func aValueThatTurnsNilIsStored() throws {
    let store = try ModelStore(inMemory: Episode.self)
    try store.write { try $0.save(Episode.number(1, season: 4)) }

    let report = try store.write { try $0.save(Episode.number(1, season: nil)) }

    #expect(report.updated == 1)
    #expect(try store.models(ModelRequest<Episode>()) == [.number(1, season: nil)])
  }

  @Test func theRowIDZeroAndNegativeOnesAreInserted() throws {
    let store = try ModelStore(inMemory: Episode.self)

    let report = try store.write {
      try $0.save([Episode.number(0), .number(-1), .number(Int.max)])
    }

    #expect(report.inserted == 3)
  }

  @Test func withoutAUniqueKeyEachSaveIsANewRow() throws {
    let store = try ModelStore(inMemory: Note.self)
    let note = Note(order: "a", description: "b")

    try store.write { try $0.save([note, note]) }

    #expect(try store.count(ModelRequest<Note>()) == 2)
  }

  @Test func anErrorLeavesTheStoreAsItWas() throws {
    let store = try ModelStore(inMemory: Episode.self, Everything.self)
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
      error?.description == "invalid value: not a number, expected number - `Everything.double`")
    #expect(try store.models(ModelRequest<Episode>()) == [.number(1)])
  }

  @Test func aWriteInsideAWriteIsUndoneAlone() throws {
    struct Refusal: Error {}
    let store = try ModelStore(inMemory: Episode.self)

    try store.write { writer in
      try writer.save(Episode.number(1))
      #expect(throws: Refusal.self) {
        try store.write {
          try $0.save(Episode.number(2))
          throw Refusal()
        }
      }
    }

    #expect(try store.models(ModelRequest<Episode>()) == [.number(1)])
  }

  @Test func modelsAreDeletedByTheirUniqueKeys() throws {
    let store = try ModelStore(inMemory: Episode.self)
    try store.write { try $0.save((1...5).map { Episode.number($0) }) }

    let count = try store.write { try $0.delete([Episode.number(2, title: "any"), .number(9)]) }
    let more = try store.write { try $0.delete(ModelRequest<Episode>().filter { $0.id > 3 }) }

    #expect(count == 1)
    #expect(more == 2)
    #expect(try store.models(ModelRequest<Episode>()).map(\.id) == [1, 3])
  }

  @Test func aRowThatIsNoneOfTheModelsIsAnErrorWithItsPlace() throws {
    let store = try ModelStore(inMemory: Episode.self)
    try store.write { try $0.save(Episode.number(7)) }
    try store.writer.write { try $0.execute(sql: "UPDATE Episode SET kind = 'x'") }

    let error = #expect(throws: MappingError.self) { try store.models(ModelRequest<Episode>()) }

    #expect(
      error?.description
        == "invalid value: text \"x\", expected one of \"free\", \"paid\""
        + " - `Episode.kind` at /Episode/7/kind")
  }
}
