import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private typealias Show = Shows.Show
private typealias Podcast = Shows.Podcast

@Suite(.allEngines) struct RelatedFilterTests {
  private let store: ModelStore

  init() throws { store = try .shows() }

  private static func day(_ seconds: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: seconds)
  }

  @Test func aBooleanKeyIsACondition() throws {
    let active = ModelRequest<Show>().filter { $0.podcast.isActive }
    let inactive = ModelRequest<Podcast>().filter { !$0.isActive }.filter { $0.isActive }

    #expect(active == ModelRequest<Show>().filter { $0.podcast.isActive == true })
    #expect(try store.fetch(active).map(\.id) == [1, 2])
    #expect(try store.fetchCount(inactive) == 0)
  }

  private static let filters: [(String, [Int64], @Sendable (ModelKeys<Show>) -> Filter)] = [
    ("a key of the row at the other end", [1, 2], { $0.podcast.isActive == true }),
    ("a Boolean key", [1, 2], { $0.podcast.isActive && $0.id > 0 }),
    ("Boolean keys", [1, 2], { $0.id < 0 || $0.podcast.isActive && $0.podcast.isActive }),
    ("a Boolean key or another", [1, 2, 4], { $0.podcast.isActive || $0.id == 4 }),
    ("a value of a list", [2, 4], { [2, 4, 9].contains($0.id) }),
    ("an optional value of a list", [1, 2], { [3, 9].contains($0.podcast.rank) }),
    ("a key of no row is nil", [3, 4], { $0.podcast.isActive != true }),
    ("a nil key and no row are alike", [3, 4], { $0.podcast.rank == nil }),
    ("a nil key is not smaller", [1, 2], { $0.podcast.rank < 9 }),
    ("a text at the other end", [3], { $0.podcast.title.hasPrefix("be", .caseInsensitive) }),
    ("a hidden key by the subscript", [1, 2], { $0[\.podcast][\.count] == 2 }),
    ("no row", [4], { $0.podcast == nil }),
    ("a row", [1, 2, 3], { $0.podcast != nil }),
    ("a row by its identity", [3], { $0.podcast.isRow(identity: 8) }),
    ("the row itself by its identity", [2], { $0.isRow(identity: 2) }),
    ("any", [1, 3], { $0.chapters.any { $0.title == "Intro" } }),
    ("all, of none too", [2, 3], { $0.chapters.all { $0.title == "Intro" } }),
    ("none", [2, 4], { $0.chapters.none { $0.title == "Intro" } }),
    ("not any", [2, 4], { !$0.chapters.any { $0.title == "Intro" } }),
    ("not all", [1, 4], { !$0.chapters.all { $0.title == "Intro" } }),
    ("not none", [1, 3], { !$0.chapters.none { $0.title == "Intro" } }),
    ("no related rows", [2], { $0.chapters.isEmpty }),
    ("related rows", [1, 3, 4], { !$0.chapters.isEmpty }),
    (
      "no related rows of a related row", [3, 4],
      { $0.podcast.isActive != true && !$0.chapters.isEmpty }
    ),
    ("count", [1], { $0.chapters.count > 1 }),
    ("count of those", [1, 3, 4], { $0.chapters.count(where: { $0.start < 96 }) > 0 }),
    ("a key of the row around", [4], { show in show.chapters.any { $0.start > show.length } }),
    (
      "a key of the row around that", [1, 3, 4],
      { show in
        show.chapters.any { chapter in
          chapter.show.chapters.any { $0.start >= chapter.start && $0.show == chapter.show }
            && chapter.show.id == show.id
        }
      }
    ),
    (
      "two keys", [1, 2, 3], { $0.number == $0.season || $0.number < $0.podcast.rank && $0.id == 2 }
    ),
    ("two keys of which one is nil", [2], { $0.season != $0.number && $0.season == nil }),
    ("numbers of two types", [], { $0.number > $0.length }),
    ("a decimal and a double", [1, 3, 4], { $0.price < $0.length }),
    ("a sum", [1, 3, 4], { $0.season + $0.number > 1 }),
    ("a sum with nil", [2], { $0.season + 1 == nil }),
    (
      "a quotient without remainder", [3, 4],
      { ($0.number + 1) / 2 * $0.season >= 2 && $0.season == 2 }
    ),
    ("a difference from a number", [4], { 4 - $0.number < 0 }),
    ("a division by zero", [1, 2, 3, 4], { $0.number / 0 == nil }),
    ("an overflow", [2, 3, 4], { $0.number * .max == nil }),
    ("a product of decimals", [1], { $0.price * 2 == 3 }),
    ("a date from now", [], { $0.publishedAt > .now - 7 * 86_400 }),
    ("a date moved", [3, 4], { $0.publishedAt + 500 > day(3_000) }),
    ("a date moved back", [4], { $0.publishedAt - 500 > day(3_000) }),
    ("seconds between dates", [1, 2, 3, 4], { $0.publishedAt - $0.publishedAt == 0 }),
    ("between", [1, 3, 4], { $0.season.isBetween(1...2) }),
    ("between without the end", [1], { $0.season.isBetween(1..<2) }),
    ("between dates", [2, 3], { $0.publishedAt.isBetween(day(2_000)...day(3_000)) }),
    ("like", [2], { $0.title.like("?t*") }),
    ("like in any case", [3, 4], { $0.title.like("*L*", .caseInsensitive) && $0.id > 2 }),
    ("a regular expression", [1, 4], { $0.title.matches("[A-Za-z]+") }),
    ("a regular expression in any case", [4], { $0.title.matches("APP.*", .caseInsensitive) }),
    (
      "a regular expression without accents", [2, 3],
      { $0.title.matches("e.*", [.caseInsensitive, .diacriticInsensitive]) }
    ),
    ("always", [1, 2, 3, 4], { _ in .always }),
    ("never", [], { _ in .never }),
  ]

  @Test(arguments: filters.indices)
  func filtersSelect(index: Int) throws {
    let (name, expected, condition) = Self.filters[index]
    let request = ModelRequest<Show>().filter(condition)

    #expect(try store.fetchIdentities(request) == expected, "\(name): \(request.filter)")
    #expect(try store.fetchCount(request) == expected.count)
    #expect(try store.exists(request) == !expected.isEmpty)
  }

  @Test(arguments: filters.indices)
  func filtersHoldInMemoryOfTheSameRows(index: Int) throws {
    let (name, expected, condition) = Self.filters[index]
    let rows = try StoredRows(store)

    let evaluator = try RequestEvaluator(
      ModelRequest<Show>().filter(condition), in: store.schema)

    #expect(evaluator.result(of: rows["Show"]).map(\.identity) == expected, "\(name)")
  }

  @Test func rowsAreKnownByReferencesToThem() throws {
    let one = try ModelReference<Podcast>(key: "a")
    let other = try ModelReference<Podcast>(key: "b")
    let show = try ModelReference<Show>(key: 2)
    let model = Podcast(guid: "a", title: "")
    let filters: [([Int64], (ModelKeys<Show>) -> Filter)] = [
      ([1, 2], { $0.podcast.isRow(one) }),
      ([1, 2], { $0.podcast == one }),
      ([3, 4], { $0.podcast != one }),
      ([3, 4], { $0.podcast.isOne(of: [other, nil]) }),
      ([2], { $0.isRow(show) }),
      ([1], { !$0.isRow(show) && $0.podcast == one }),
    ]

    for (index, (expected, condition)) in filters.enumerated() {
      let request = ModelRequest<Show>().filter(condition)
      #expect(try store.fetchIdentities(request) == expected, "\(index)")
      let evaluator = try RequestEvaluator(request, in: store.schema)
      let rows = try StoredRows(store)["Show"]
      #expect(evaluator.result(of: rows).map(\.identity) == expected, "\(index)")
    }
    #expect(try ModelReference(to: model) == one)
  }

  @Test func aRowRequestAsksByNames() throws {
    let request = RowRequest("Show").filter {
      $0["podcast"]["isActive"] == true && $0["season"] != nil
        && $0["chapters"].any { $0["start"].isBetween(1.0...60.0) } && !$0["title"].contains("x")
        && $0["number"] + 1 > $0["number"] && $0["season"].isOne(of: [1, 2])
        && $0["podcast"].isRow("a")
    }

    #expect(try store.fetchIdentities(request) == [1])
    #expect(
      try store.fetchIdentities(RowRequest("Show").filter { $0["podcast"] == nil }) == [4])
    #expect(try store.fetchIdentities(RowRequest("Podcast").filter { $0["_moho_id"] > 7 }) == [8])
    #expect(try store.fetchIdentities(RowRequest("Show").filter { 5 - $0["number"] == 0 }) == [4])
  }

  @Test func aBooleanKeyIsAConditionByName() throws {
    let active = RowRequest("Show").filter { $0["podcast"]["isActive"] }
    let inactive = RowRequest("Podcast").filter {
      !$0["isActive"] && ($0["isActive"] || $0["guid"] == "b")
    }
    let listed = RowRequest("Show").filter {
      [2, 4].contains($0["id"]) && $0["podcast"]["isActive"]
    }

    #expect(try store.fetchIdentities(active) == [1, 2])
    #expect(try store.fetchIdentities(inactive) == [8])
    #expect(try store.fetchIdentities(listed) == [2])
  }

  @Test func ascendingKeysOfRelatedRowsPutNilFirst() throws {
    let shows = ModelRequest<Show>()

    #expect(try store.fetchIdentities(shows.order { $0.podcast.title }) == [4, 1, 2, 3])
    #expect(
      try store.fetchIdentities(shows.order(.descending) { $0.podcast.title }) == [3, 2, 1, 4])
    #expect(
      try store.fetchIdentities(shows.order(.descending) { $0.chapters.count }) == [1, 4, 3, 2])
    #expect(try store.fetchIdentities(shows.order { 0 - $0.number }) == [4, 2, 3, 1])
    #expect(try store.fetchIdentities(shows.order(by: \.price)) == [2, 1, 4, 3])
  }

  @Test func nilStandsWhereTheOrderingSays() throws {
    let shows = ModelRequest<Show>()

    #expect(try store.fetchIdentities(shows.order(by: \.season, nils: .last)) == [1, 3, 4, 2])
    #expect(try store.fetchIdentities(shows.order(by: \.season, nils: .first)) == [2, 1, 3, 4])
    #expect(
      try store.fetchIdentities(shows.order(by: \.season, .descending, nils: .first))
        == [2, 4, 3, 1])
    #expect(
      try store.fetchIdentities(shows.order(by: \.season, .descending)) == [4, 3, 1, 2])
  }

  @Test func textsAreOrderedWithoutWhatTheOptionsLeaveOut() throws {
    let shows = ModelRequest<Show>()

    #expect(try store.fetchIdentities(shows.order(by: \.title)) == [1, 4, 3, 2])
    #expect(
      try store.fetchIdentities(shows.order(by: \.title, options: .caseInsensitive))
        == [4, 1, 3, 2])
    #expect(
      try store.fetchIdentities(
        shows.order(
          by: \.title, .descending, options: [.caseInsensitive, .diacriticInsensitive]))
        == [1, 2, 3, 4])
  }

  @Test func requestsWithJoinsReadAndDeleteModels() throws {
    let store = try emptyStore(Podcast.self)
    try store.write { try $0.save([Podcast(guid: "x", title: "y")]) }
    let request = ModelRequest<Podcast>().filter { $0.title == "y" }

    #expect(try store.fetch(request).map(\.guid) == ["x"])

    let shows = try ModelStore.shows()
    let deleted = try shows.write {
      try $0.delete(ModelRequest<Show>().filter { $0.podcast.isActive == true })
    }
    #expect(deleted == 2)
    #expect(try shows.fetchIdentities(ModelRequest<Show>()) == [3, 4])
  }
}
