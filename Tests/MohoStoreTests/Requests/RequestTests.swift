import Fixtures
import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct RequestTests {
  let store: ModelStore
  let models: [Episode]

  init() throws {
    store = try emptyStore(Episode.self)
    models = [
      .number(1, title: "Swift", season: 1), .number(2, title: "Été swift", season: nil),
      .number(3, title: "", season: 2), .number(4, title: "swiftly", season: 2),
      .number(5, title: "No_%", season: 3),
    ]
    let models = models
    try store.write { try $0.save(models) }
  }

  static let filters: [(String, Set<Int>, @Sendable (ModelKeys<Episode>) -> Filter)] = [
    ("equal", [3], { $0.id == 3 }),
    ("not equal", [1, 2, 4, 5], { $0.id != 3 }),
    ("less", [1, 2], { $0.id < 3 }),
    ("at most", [1, 2, 3], { $0.id <= 3 }),
    ("greater", [4, 5], { $0.id > 3 }),
    ("at least", [3, 4, 5], { $0.id >= 3 }),
    ("equal to nil", [2], { $0.season == nil }),
    ("not equal to nil", [1, 3, 4, 5], { $0.season != nil }),
    ("nil differs from a value", [1, 2, 5], { $0.season != 2 }),
    ("nil is not less", [1], { $0.season < 2 }),
    ("not less than nil's absence", [2, 3, 4, 5], { !($0.season < 2) }),
    ("one of", [1, 5], { $0.id.self.isOne(of: [1, 5, 9]) }),
    ("one of none", [], { $0.id.isOne(of: []) }),
    ("one of with nil", [2, 5], { $0.season.isOne(of: [nil, 3]) }),
    ("not one of with nil", [1, 3, 4], { !$0.season.isOne(of: [nil, 3]) }),
    ("a case", [1, 2, 3, 4, 5], { $0.kind == .free }),
    ("a date", [4, 5], { $0.publishedAt > Date(timeIntervalSinceReferenceDate: 3 * 86_400) }),
    ("a flag", [], { $0.isPlayed == true }),
    ("not a flag", [1, 2, 3, 4, 5], { !$0.isPlayed }),
    ("contains", [2, 4], { $0.title.contains("swift") }),
    ("contains in any case", [1, 2, 4], { $0.title.contains("SWIFT", .caseInsensitive) }),
    (
      "contains without accents", [2],
      { $0.title.contains("ETE", [.caseInsensitive, .diacriticInsensitive]) }
    ),
    ("contains nothing", [1, 2, 3, 4, 5], { $0.title.contains("") }),
    ("contains wildcards as they are", [5], { $0.title.contains("_%") }),
    ("has a prefix", [4], { $0.title.hasPrefix("swift") }),
    ("has a suffix", [2], { $0.title.hasSuffix("swift") }),
    ("equals in any case", [1], { $0.title.equals("sWIFT", .caseInsensitive) }),
    ("nil text matches nothing", [], { $0.summary.contains("") }),
    ("and", [4], { $0.season == 2 && $0.title.contains("swift") }),
    ("or", [1, 3, 4], { $0.season == 2 || $0.id == 1 }),
    ("not and", [1, 2, 3, 5], { !($0.season == 2 && $0.title.contains("swift")) }),
  ]

  @Test(arguments: filters.indices)
  func filtersSelect(index: Int) throws {
    let (name, expected, condition) = Self.filters[index]

    let found = try store.fetch(ModelRequest<Episode>().filter(condition))

    #expect(Set(found.map(\.id)) == expected, "\(name)")
    #expect(try store.fetchCount(ModelRequest<Episode>().filter(condition)) == expected.count)
  }

  @Test func furtherFiltersNarrow() throws {
    let request = ModelRequest<Episode>().filter { $0.id > 1 }.filter { $0.id < 4 }

    #expect(try store.fetch(request).map(\.id) == [2, 3])
  }

  @Test func orderingsWeighInTheirOrderAndTiesGoByIdentity() throws {
    let request = ModelRequest<Episode>().order(by: \.season, .descending)

    #expect(try store.fetch(request).map(\.id) == [5, 4, 3, 1, 2])
    #expect(
      try store.fetch(request.order(by: \.publishedAt, .descending)).map(\.id)
        == [5, 4, 3, 1, 2])
  }

  @Test func limitAndOffsetCutTheOrderedModels() throws {
    let request = ModelRequest<Episode>().order(by: \.id, .descending)

    #expect(try store.fetch(request.limit(2)).map(\.id) == [5, 4])
    #expect(try store.fetch(request.limit(2).offset(1)).map(\.id) == [4, 3])
    #expect(try store.fetch(request.offset(3)).map(\.id) == [2, 1])
    #expect(try store.fetchCount(request.limit(2)) == 2)
    #expect(try store.fetchFirst(request)?.id == 5)
    #expect(try store.fetchFirst(request.limit(0)) == nil)
  }

  @Test func batchesHaveTheBatchSize() throws {
    var batches: [[Int]] = []

    try store.read { reader in
      try reader.forEachBatch(of: ModelRequest<Episode>().order(by: \.id).batchSize(2)) {
        batches.append($0.map(\.id))
      }
    }

    #expect(batches == [[1, 2], [3, 4], [5]])
  }

  @Test func decimalsCompareByTheirValues() throws {
    let store = try emptyStore(Price.self)
    let amounts: [Decimal] = [10, 9, -3, -20, Decimal(string: "100.5") ?? 0]
    try store.write { writer in
      try writer.save(amounts.enumerated().map { Price(id: $0, amount: $1) })
    }
    let all = ModelRequest<Price>().order(by: \.amount)

    #expect(try store.fetch(all).map(\.amount) == amounts.sorted())
    #expect(
      try store.fetch(all.filter { $0.amount < 10 }).map(\.amount)
        == amounts.filter { $0 < 10 }.sorted())
    #expect(try store.fetch(all.filter { $0.amount.isOne(of: [9, 11]) }).map(\.amount) == [9])
  }

  @Test func aProductOfDecimalsBelowTheSmallestOneIsZero() throws {
    let store = try emptyStore(Price.self)
    let tiny = Decimal(sign: .plus, exponent: -100, significand: 1)
    try store.write { try $0.save([Price(id: 1, amount: tiny), Price(id: 2, amount: 3)]) }

    let products = try store.fetchValues(ModelRequest<Price>().order(by: \.id)) {
      [$0.amount * $0.amount]
    }

    #expect(products.map(\.values) == [[.decimal(0)], [.decimal(9)]])
  }

  @Test func aKeyWithATransformComparesInItsStoredForm() throws {
    let store = try emptyStore(Price.self)
    try store.write { writer in
      try writer.save([
        Price(id: 1, amount: 0, isNet: true), Price(id: 2, amount: 0, isNet: false),
      ])
    }
    let all = ModelRequest<Price>()

    #expect(try store.fetch(all.filter { $0.isNet == true }).map(\.id) == [1])
    #expect(try store.fetch(all.filter { !$0.isNet }).map(\.id) == [2])
    #expect(try store.fetch(all.filter { $0.isNet.isOne(of: [true]) }).map(\.id) == [1])
  }

  @Test func bytesCompareAsTheyAre() throws {
    let store = try emptyStore(Price.self)
    try store.write { writer in
      try writer.save([
        Price(id: 1, amount: 0, receipt: Data()), Price(id: 2, amount: 0, receipt: nil),
        Price(id: 3, amount: 0, receipt: Data([0])),
      ])
    }
    let all = ModelRequest<Price>()

    #expect(try store.fetch(all.filter { $0.receipt == Data() }).map(\.id) == [1])
    #expect(try store.fetch(all.filter { $0.receipt != Data([0]) }).map(\.id) == [1, 2])
  }

  @Test func nothingComparesWithWhatIsNotANumber() throws {
    let store = try emptyStore(Price.self, Episode.self)
    let prices = ModelRequest<Price>()

    for request in [
      prices.filter { $0.rate == .nan }, prices.filter { $0.rate < .nan },
      prices.filter { $0.rate.isOne(of: [.nan]) }, prices.filter { $0.amount == .nan },
    ] {
      let error = #expect(throws: StoreError.self) { try store.fetch(request) }
      #expect(error?.code == .invalidRequest)
    }
  }

  @Test func thousandsOfAlternativesFindWhatOneDoes() throws {
    let filter = (0..<2_000).reduce(Filter.or([])) { filter, id in
      let request = ModelRequest<Episode>().filter { $0.id == id }
      return filter || request.filter
    }

    let found = try store.fetch(ModelRequest<Episode>().filter { _ in filter })

    #expect(try found == store.fetch(ModelRequest<Episode>()))
  }

  @Test func limitsAndOffsetsMayBeAsLargeAsTheyLike() throws {
    let request = ModelRequest<Episode>()

    #expect(try store.fetch(request.limit(.max).offset(.max)) == [])
    #expect(try store.fetch(request.limit(.max).offset(4)).count == 1)
    #expect(try store.fetch(request.limit(0)) == [])
    #expect(try store.fetch(request.batchSize(.min)).count == 5)
  }

  @Test(arguments: [
    (
      ModelRequest<Episode>().filter { $0.isExpanded == true },
      "is not a stored key of `Episode`"
    ),
    (ModelRequest<Episode>().order(by: \.title.count), "is not a stored key of `Episode`"),
    (ModelRequest<Episode>().limit(-1), "the limit -1 is negative"),
    (ModelRequest<Episode>().offset(-1), "the offset -1 is negative"),
  ])
  func whatCannotBeCarriedOutIsSaid(request: ModelRequest<Episode>, message: String) throws {
    let error = #expect(throws: StoreError.self) { try store.fetch(request) }

    #expect(error?.code == .invalidRequest)
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test func aModelThatTheStoreDoesNotHaveIsNamed() throws {
    let error = #expect(throws: StoreError.self) { try store.fetch(ModelRequest<Note>()) }

    #expect(error?.reason == "the store has no table for `select`")
  }
}
