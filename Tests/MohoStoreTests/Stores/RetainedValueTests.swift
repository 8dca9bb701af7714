import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

private protocol Play: MappedModel, Equatable {
  init(code: String, title: String, count: Int?, position: Double, rating: Int?)
  var code: String { get }
  var title: String { get }
  var count: Int? { get }
  var position: Double { get }
  var rating: Int? { get }
}

/// Saved by the database, which merges values itself.
private struct RetainedPlay: Play {
  var code: String
  var title: String
  var count: Int?
  var position: Double
  var rating: Int?

  static let mapping = Mapping<RetainedPlay>(
    "Play", RetainedPlay.init, .key("code", \.code, .unique), .key("title", \.title),
    .key("count", \.count), .key("position", \.position), .key("rating", \.rating)
  )
  .merging(\.count, .stored).merging(\.position, .stored)
  .merging(\.rating, .incomingUnlessNil)
}

/// Merged in memory, because closures can merge in any way.
private struct MergedPlay: Play {
  var code: String
  var title: String
  var count: Int?
  var position: Double
  var rating: Int?

  static let mapping = Mapping<MergedPlay>(
    "Play", MergedPlay.init, .key("code", \.code, .unique), .key("title", \.title),
    .key("count", \.count), .key("position", \.position), .key("rating", \.rating)
  )
  .merging(\.count) { stored, _ in stored }.merging(\.position) { stored, _ in stored }
  .merging(\.rating) { stored, incoming in incoming ?? stored }
}

private protocol Troupe: MappedModel, Equatable {
  associatedtype Show: Play
  init(code: String, city: String?, motto: String, first: Show, plays: [Show])
  var code: String { get }
  var city: String? { get }
  var motto: String { get }
  var first: Show { get }
  var plays: [Show] { get }
}

/// A rule that needs the merged model.
private struct RuledPlay: MappedModel, Equatable {
  var code: String
  var least: Int?
  var most: Int

  static let mapping = Mapping<RuledPlay>(
    "Play", RuledPlay.init, .key("code", \.code, .unique), .key("least", \.least),
    .key("most", \.most)
  )
  .validating("a least number up to the greatest one") { $0.least ?? 5 <= $0.most }
  .merging(\.least, .incomingUnlessNil)
}

/// A model to save, and the merged number; nil if it is refused.
private struct RuledSave {
  var code: String
  var least: Int?
  var most: Int
  var saved: Int??
}

private struct RuledTroupe: MappedModel {
  var code: String
  var plays: [RuledPlay]

  static let mapping = Mapping<RuledTroupe>(
    "Troupe", RuledTroupe.init, .key("code", \.code, .unique), .toMany("plays", \.plays))
}

/// Saved with its plays. The rule is about a key that is not merged.
private struct RetainedTroupe: Troupe {
  var code: String
  var city: String?
  var motto: String
  var first: RetainedPlay
  var plays: [RetainedPlay]

  static let mapping = Mapping<RetainedTroupe>(
    "Troupe", RetainedTroupe.init, .key("code", \.code, .unique), .key("city", \.city),
    .key("motto", \.motto), .toOne("first", \.first), .toMany("plays", \.plays)
  )
  .validating(\.code, "a code") { !$0.isEmpty }
  .merging(\.city, .incomingUnlessNil).merging(\.motto, .stored)
}

/// Saved with plays whose rows are merged in memory after they are recorded.
private struct MixedTroupe: Troupe {
  var code: String
  var city: String?
  var motto: String
  var first: MergedPlay
  var plays: [MergedPlay]

  static let mapping = Mapping<MixedTroupe>(
    "Troupe", MixedTroupe.init, .key("code", \.code, .unique), .key("city", \.city),
    .key("motto", \.motto), .toOne("first", \.first), .toMany("plays", \.plays)
  )
  .merging(\.city, .incomingUnlessNil).merging(\.motto, .stored)
}

private struct MergedTroupe: Troupe {
  var code: String
  var city: String?
  var motto: String
  var first: MergedPlay
  var plays: [MergedPlay]

  static let mapping = Mapping<MergedTroupe>(
    "Troupe", MergedTroupe.init, .key("code", \.code, .unique), .key("city", \.city),
    .key("motto", \.motto), .toOne("first", \.first), .toMany("plays", \.plays)
  )
  .merging(\.city) { stored, incoming in incoming ?? stored }
  .merging(\.motto) { stored, _ in stored }
}

@Suite(.allEngines) struct RetainedValueTests {
  private let store: ModelStore

  init() throws { store = try emptyStore(RetainedPlay.self) }

  private func play(_ code: String, _ title: String, _ count: Int?) -> RetainedPlay {
    RetainedPlay(
      code: code, title: title, count: count, position: Double(count ?? 0), rating: nil)
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
          RetainedPlay(code: "a", title: "New", count: 1, position: 1, rating: nil),
          play("b", "B", 5),
        ])
  }

  private static func seeds(short: Int, full: Int) -> Range<UInt64> {
    Campaign.seeds(from: "MOHO_RETAINED_SEED", count: Campaign.count(short: short, full: full))
  }

  @Test func valuesAreThoseOfMergingInMemory() throws {
    for seed in Self.seeds(short: 6, full: 60) {
      var random = SeededGenerator(seed: seed)
      let (store, twin) = (try emptyStore(RetainedPlay.self), try emptyStore(MergedPlay.self))
      let adapter = JSONAdapter<RetainedPlay>()
      for round in 0..<8 {
        let plays = (0..<Int.random(in: 1...6, using: &random)).map { _ in
          randomPlay(of: RetainedPlay.self, 8, &random)
        }
        let others = plays.map(merged)
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

  @Test func relatedModelsAreMergedAsInMemory() throws {
    for seed in Self.seeds(short: 3, full: 30) {
      var random = SeededGenerator(seed: seed)
      let store = try emptyStore(RetainedTroupe.self, RetainedPlay.self)
      let twin = try emptyStore(MergedTroupe.self, MergedPlay.self)
      let mixed = try emptyStore(MixedTroupe.self, MergedPlay.self)
      for round in 0..<4 {
        // More than 500 models are saved in several batches.
        let count = round == 3 && seed.isMultiple(of: 5) ? 600 : random.below(5) + 1
        let keys = count > 500 ? 560 : 4
        let troupes = (0..<count).map { _ in
          RetainedTroupe(
            code: "\(random.below(keys))", city: random.oneIn(2) ? nil : "\(random.below(9))",
            motto: "\(random.below(9))", first: randomPlay(of: RetainedPlay.self, keys, &random),
            plays: (0..<random.below(3)).map { _ in
              randomPlay(of: RetainedPlay.self, keys, &random)
            })
        }
        let others = troupes.map {
          MergedTroupe(
            code: $0.code, city: $0.city, motto: $0.motto, first: merged($0.first),
            plays: $0.plays.map(merged))
        }
        let oneByOne = count < 9 && random.oneIn(3)
        let report = try store.write { writer in
          oneByOne
            ? try troupes.reduce(SaveReport()) { try $0 + writer.save($1) }
            : try writer.save(troupes)
        }
        let expected = try twin.write { try $0.save(others) }
        let mixedReport = try mixed.write { writer in
          try writer.save(
            others.map {
              MixedTroupe(
                code: $0.code, city: $0.city, motto: $0.motto, first: $0.first, plays: $0.plays)
            })
        }

        let comment: Comment = "seed \(seed), round \(round), one by one \(oneByOne)"
        #expect(report.inserted == expected.inserted, comment)
        #expect(mixedReport.inserted == expected.inserted, comment)
        try #require(try lines(store, RetainedPlay.self) == lines(twin, MergedPlay.self), comment)
        try #require(try lines(mixed, MergedPlay.self) == lines(twin, MergedPlay.self), comment)
        try #require(
          try troupeLines(mixed, MixedTroupe.self) == troupeLines(twin, MergedTroupe.self),
          comment)
        try #require(
          try troupeLines(store, RetainedTroupe.self) == troupeLines(twin, MergedTroupe.self),
          comment)
      }
    }
  }

  @Test func savingTheSameRelatedModelsAgainWritesNothing() throws {
    let store = try emptyStore(RetainedTroupe.self, RetainedPlay.self)
    let plays = (0..<3).map {
      RetainedPlay(code: "\($0)", title: "T", count: nil, position: 1, rating: 2)
    }
    var troupe = RetainedTroupe(
      code: "a", city: "Oslo", motto: "M", first: plays[0], plays: plays)
    try store.write { try $0.save(troupe) }

    troupe.city = nil
    troupe.motto = "other"
    troupe.plays[1].rating = nil
    troupe.plays[2].count = 8
    let report = try store.write { try $0.save(troupe) }

    #expect(report.inserted + report.updated == 0)
  }

  /// `a` is stored with 4 and 6.
  @Test(
    arguments: [
      RuledSave(code: "a", least: 3, most: 3, saved: 3),
      // Not valid alone.
      RuledSave(code: "a", least: nil, most: 4, saved: 4),
      RuledSave(code: "a", least: nil, most: 3, saved: nil),
      RuledSave(code: "a", least: 5, most: 4, saved: nil),
      RuledSave(code: "b", least: nil, most: 4, saved: nil),
      RuledSave(code: "b", least: nil, most: 5, saved: .some(nil)),
    ], [false, true])
  fileprivate func rulesAreAboutTheMergedModel(save: RuledSave, isRelated: Bool) throws {
    let store = try emptyStore(RuledTroupe.self, RuledPlay.self)
    try store.write { _ = try $0.save(RuledPlay(code: "a", least: 4, most: 6)) }
    let play = RuledPlay(code: save.code, least: save.least, most: save.most)

    var error: MappingError?
    do {
      _ = try store.write { writer in
        isRelated
          ? try writer.save([RuledTroupe(code: "t", plays: [play])]) : try writer.save([play])
      }
    } catch let caught as MappingError {
      error = caught
    }

    let plays = try store.fetch(ModelRequest<RuledPlay>().order(by: \.code))
    let old = RuledPlay(code: "a", least: 4, most: 6)
    #expect((error == nil) == (save.saved != nil))
    guard let least = save.saved else {
      #expect(error?.errors.map(\.code) == [.failedValidation])
      #expect(error?.errors.first?.path?.pointer == (isRelated ? "/0/plays/0" : "/0"))
      return #expect(plays == [old])
    }
    let saved = RuledPlay(code: save.code, least: least, most: save.most)
    #expect(plays == (save.code == "a" ? [saved] : [old, saved]))
  }

  private func randomPlay<Model: Play>(
    of model: Model.Type, _ keys: Int, _ random: inout SeededGenerator
  ) -> Model {
    Model(
      code: "\(random.below(keys))", title: "\(random.below(3))",
      count: random.oneIn(2) ? random.below(9) : nil, position: Double(random.below(9)),
      rating: random.oneIn(2) ? random.below(9) : nil)
  }

  private func merged(_ play: RetainedPlay) -> MergedPlay {
    MergedPlay(
      code: play.code, title: play.title, count: play.count, position: play.position,
      rating: play.rating)
  }

  private func lines<Model: Play>(_ store: ModelStore, _ model: Model.Type) throws -> [String] {
    try store.fetch(ModelRequest<Model>()).map(line).sorted()
  }

  private func line(_ play: some Play) -> String {
    let numbers = [play.count, play.rating].map { $0.map(String.init) ?? "nil" }
    return "\(play.code) \(play.title) \(numbers) \(play.position)"
  }

  private func troupeLines<Model: Troupe>(
    _ store: ModelStore, _ model: Model.Type
  ) throws -> [String] {
    try store.fetch(ModelRequest<Model>()).map { troupe in
      "\(troupe.code) \(troupe.city ?? "nil") \(troupe.motto) \(line(troupe.first))"
        + " \(troupe.plays.map(line).sorted())"
    }.sorted()
  }
}

extension SeededGenerator {
  fileprivate mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
  fileprivate mutating func oneIn(_ times: Int) -> Bool { below(times) == 0 }
}
