import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

private protocol Play: MappedModel, Equatable {
  init(code: String, title: String, count: Int?, position: Double)
  var code: String { get }
  var title: String { get }
  var count: Int? { get }
  var position: Double { get }
}

/// Saved by the database, which retains values itself.
private struct RetainedPlay: Play {
  var code: String
  var title: String
  var count: Int?
  var position: Double

  static let mapping = Mapping<RetainedPlay>(
    "Play", RetainedPlay.init, .key("code", \.code, .unique), .key("title", \.title),
    .key("count", \.count), .key("position", \.position)
  )
  .merging(\.count, .stored).merging(\.position, .stored)
}

/// Merged in memory, because closures can merge in any way.
private struct MergedPlay: Play {
  var code: String
  var title: String
  var count: Int?
  var position: Double

  static let mapping = Mapping<MergedPlay>(
    "Play", MergedPlay.init, .key("code", \.code, .unique), .key("title", \.title),
    .key("count", \.count), .key("position", \.position)
  )
  .merging(\.count) { stored, _ in stored }.merging(\.position) { stored, _ in stored }
}

@Suite(.allEngines) struct RetainedValueTests {
  private let store: ModelStore

  init() throws { store = try emptyStore(RetainedPlay.self) }

  private func play(_ code: String, _ title: String, _ count: Int?) -> RetainedPlay {
    RetainedPlay(code: code, title: title, count: count, position: Double(count ?? 0))
  }

  @Test func aNewRowHasAllValuesAndASavedRowRetainsSome() throws {
    let first = try store.write { try $0.save([play("a", "A", 1), play("b", "B", nil)]) }
    let again = try store.write { try $0.save([play("a", "A", 2), play("b", "New", 3)]) }

    #expect(first == SaveReport(inserted: 2))
    #expect(again == SaveReport(updated: 1, unchanged: 1))
    #expect(
      try store.fetch(ModelRequest<RetainedPlay>().order(by: \.code))
        == [play("a", "A", 1), play("b", "New", nil)])
  }

  @Test func partialModelsAndColumnsOfRequestsWriteRetainedKeys() throws {
    try store.write { try $0.save(play("a", "A", 1)) }
    var partial = Partial<RetainedPlay>()
    partial[\.code] = "a"
    partial[\.count] = 7

    #expect(try store.write { try $0.update([partial]) } == SaveReport(updated: 1))
    #expect(try store.fetchFirst(ModelRequest<RetainedPlay>())?.count == 7)
  }

  @Test func theFirstOfSeveralModelsOfANewRowIsRetained() throws {
    try store.write { try $0.save([play("a", "A", 1), play("b", "B", 5), play("a", "New", 2)]) }

    #expect(
      try store.fetch(ModelRequest<RetainedPlay>().order(by: \.code))
        == [
          RetainedPlay(code: "a", title: "New", count: 1, position: 1), play("b", "B", 5),
        ])
  }

  @Test func valuesAreThoseOfMergingInMemory() throws {
    for seed in Campaign.seeds(from: "MOHO_RETAINED_SEED", count: 20) {
      var random = SeededGenerator(seed: seed)
      let (store, twin) = (try emptyStore(RetainedPlay.self), try emptyStore(MergedPlay.self))
      let adapter = JSONAdapter<RetainedPlay>()
      for round in 0..<8 {
        let plays = (0..<Int.random(in: 1...6, using: &random)).map { _ in
          RetainedPlay(
            code: "\(Int.random(in: 0..<8, using: &random))",
            title: "\(Int.random(in: 0..<3, using: &random))",
            count: Bool.random(using: &random) ? Int.random(in: 0..<9, using: &random) : nil,
            position: Double(Int.random(in: 0..<9, using: &random)))
        }
        let others = plays.map {
          MergedPlay(code: $0.code, title: $0.title, count: $0.count, position: $0.position)
        }
        let way = Int.random(in: 0..<4, using: &random)
        let report = try store.write { writer in
          switch way {
          case 0: try writer.save(plays)
          case 1:
            try writer.save(decoding: adapter.fields(from: adapter.data(from: plays)))
          case 2: try plays.reduce(SaveReport()) { try $0 + writer.save($1) }
          default: try writer.save(plays, mode: .mirror(ModelRequest(), deletingAtMost: 8))
          }
        }
        let merged = try twin.write { writer in
          way < 3
            ? try writer.save(others)
            : try writer.save(others, mode: .mirror(ModelRequest(), deletingAtMost: 8))
        }

        let comment: Comment = "seed \(seed), round \(round), way \(way): \(plays)"
        #expect(report.inserted == merged.inserted, comment)
        #expect(report.deleted == merged.deleted, comment)
        try #require(try lines(store, RetainedPlay.self) == lines(twin, MergedPlay.self), comment)
      }
    }
  }

  private func lines<Model: Play>(_ store: ModelStore, _ model: Model.Type) throws -> [String] {
    try store.fetch(ModelRequest<Model>()).map {
      "\($0.code) \($0.title) \($0.count.map(String.init) ?? "nil") \($0.position)"
    }.sorted()
  }
}
