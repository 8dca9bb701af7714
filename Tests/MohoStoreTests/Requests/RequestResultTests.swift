import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private typealias Show = Shows.Show

@Suite(.allEngines) struct RequestResultTests {
  let store: ModelStore
  let shows = ModelRequest<Shows.Show>()

  init() throws { store = try .shows() }

  @Test func valuesHaveTheTypesOfTheirKeys() throws {
    let rows = try store.fetchValues(shows.filter { $0.id == 1 || $0.id == 4 }) {
      [
        $0.title, $0.price, $0.publishedAt, $0.podcast.isActive, $0.podcast.title,
        $0.chapters.count, $0.number + 1,
      ]
    }

    #expect(
      rows.map(\.values) == [
        [
          .string("Swift"), .decimal(Decimal(string: "1.5") ?? 0),
          .date(Date(timeIntervalSinceReferenceDate: 1_000)), .bool(true), .string("Alpha"),
          .int64(2), .int64(2),
        ],
        [
          .string("apple"), .decimal(9), .date(Date(timeIntervalSinceReferenceDate: 4_000)),
          .null, .null, .int64(1), .int64(6),
        ],
      ])
    #expect(
      rows.first?.names == [
        "title", "price", "publishedAt", "podcast.isActive", "podcast.title", "chapters.count",
        "(number + 1)",
      ])
    #expect(rows.first?["podcast.title"] == .string("Alpha"))
    #expect(rows.first?["nothing"] == nil)
  }

  @Test func valuesKeepTheOrderAndThePageOfTheRequest() throws {
    let request = shows.order(by: \.number, .descending).offset(1).limit(2)

    #expect(
      try store.fetchValues(request) { [$0.title] }.map(\.values)
        == [[.string("Élan")], [.string("été")]])
  }

  @Test func distinctValuesAreFetchedOnceInOrder() throws {
    let request = shows.order(by: \.season, .descending).distinct()

    #expect(
      try store.fetchValues(request) { [$0.season] }.map(\.values)
        == [[.int64(2)], [.int64(1)], [.null]])
    #expect(
      try store.fetchValues(request.limit(1).offset(1)) { [$0.season] }.map(\.values)
        == [[.int64(1)]])
    #expect(
      try store.fetchValues(shows.distinct()) { [$0.podcast.isActive, $0.number] }.map(\.values)
        == [
          [.null, .int64(5)], [.bool(false), .int64(2)], [.bool(true), .int64(1)],
          [.bool(true), .int64(2)],
        ])
    let error = #expect(throws: StoreError.self) {
      try store.fetchValues(request) { [$0.number] }
    }
    #expect(error?.reason == "the ordering by `season` is not among the distinct values")
  }

  @Test func distinctDoesNotReduceModels() throws {
    #expect(try store.fetchIdentities(shows.distinct()) == [1, 2, 3, 4])
  }

  @Test func aggregatesAreMadeOfAllRows() throws {
    let row = try store.fetchAggregates(shows) {
      [
        .count, .count($0.season), .sum($0.number), .average($0.number), .sum($0.price),
        .average($0.price), .minimum($0.price), .maximum($0.price), .minimum($0.title),
        .maximum($0.publishedAt), .sum($0.length), .maximum($0.chapters.count),
        .minimum($0.podcast.title),
      ]
    }

    #expect(
      row.values
        == [
          .int64(4), .int64(3), .int64(10), .double(2.5), .decimal(Decimal(string: "20.5") ?? 0),
          .decimal(Decimal(string: "20.5") ?? 0), .decimal(Decimal(string: "1.5") ?? 0),
          .decimal(10), .string("Swift"), .date(Date(timeIntervalSinceReferenceDate: 4_000)),
          .double(225), .int64(2), .string("Alpha"),
        ].enumerated().map { index, value in
          // The average of three values has 38 digits.
          index == 5
            ? .decimal(Decimal(string: "6.8333333333333333333333333333333333333") ?? 0) : value
        })
    #expect(row["sum(number)"] == .int64(10))
  }

  @Test func equalValuesAreCountedOnce() throws {
    let row = try store.fetchAggregates(shows) {
      [
        .distinctCount($0.season), .count($0.season), .distinctCount($0.price),
        .distinctCount($0.podcast.title), .distinctCount($0.number * 0),
      ]
    }

    #expect(row["distinctCount(season)"] == .int64(2))
    #expect(row.values == [2, 3, 3, 2, 1].map { .int64($0) })
  }

  @Test func aggregatesOfNoRowsAreNil() throws {
    let row = try store.fetchAggregates(shows.filter { _ in .never }) {
      [
        .count, .distinctCount($0.title), .sum($0.number), .sum($0.price), .average($0.price),
        .maximum($0.title),
      ]
    }

    #expect(row.values == [.int64(0), .int64(0), .null, .null, .null, .null])
  }

  @Test func groupsAreInOrderOfTheirKeys() throws {
    let rows = try store.fetchAggregates(shows, groupedBy: { [$0.podcast.isActive, $0.season] }) {
      [.count, .sum($0.number)]
    }

    #expect(
      rows.map(\.values) == [
        [.null, .int64(2), .int64(1), .int64(5)],
        [.bool(false), .int64(2), .int64(1), .int64(2)],
        [.bool(true), .null, .int64(1), .int64(2)],
        [.bool(true), .int64(1), .int64(1), .int64(1)],
      ])
  }

  private var seasons: GroupRequest<ModelRequest<Show>> {
    shows.grouped(by: { [$0.podcast.isActive, $0.season] }) { [.count, .sum($0.number)] }
  }

  @Test func groupsMeetConditionsAndHaveAnOrder() throws {
    func sums(_ request: GroupRequest<ModelRequest<Show>>) throws -> [FieldContent?] {
      try store.fetchGroups(request).map { $0["sum(number)"] }
    }

    #expect(try store.fetchGroups(seasons).map(\.values.count) == [4, 4, 4, 4])
    #expect(
      try sums(seasons.order(.descending) { .sum($0.number) }) == [5, 2, 2, 1].map { .int64($0) })
    #expect(
      try sums(seasons.order(.descending, by: { $0.season })) == [5, 2, 1, 2].map { .int64($0) })
    #expect(
      try sums(seasons.having { .sum($0.number) > 1 && .count == 1 }.offset(1).limit(1))
        == [.int64(2)])
    #expect(try sums(seasons.having { .sum($0.number) == nil }) == [])
  }

  @Test func valuesThatGroupsDoNotHaveAreErrors() throws {
    let error = #expect(throws: StoreError.self) {
      try store.fetchGroups(
        seasons.having { .maximum($0.number) > 1 && .count > "a" }
          .order { .sum($0.length) }.order(by: { $0.title }).limit(-1))
    }

    #expect(error?.code == .invalidRequest)
    for issue in [
      "`group` has no key `maximum(number)`", "(integer) cannot be compared with",
      "`group` has no key `sum(length)`", "`group` has no key `title`",
      "the limit -1 is negative",
    ] {
      #expect(error?.reason.contains(issue) == true, "\(issue) is not in \(error?.reason ?? "")")
    }
  }

  @Test func equalDecimalsAreOneGroup() throws {
    try store.execute("UPDATE \"Show\" SET price = '10.0' WHERE id > 2")
    try store.execute("UPDATE \"Show\" SET price = '10' WHERE id = 2")

    let rows = try store.fetchAggregates(shows, groupedBy: { [$0.price] }) { _ in [.count] }

    #expect(
      rows.map(\.values) == [[.decimal(Decimal(1.5)), .int64(1)], [.decimal(10), .int64(3)]])
  }

  @Test func aggregatesAreOfThePageOfTheRequest() throws {
    let request = shows.order(by: \.number, .descending).limit(2)

    #expect(try store.fetchAggregates(request) { [.sum($0.number)] }.values == [.int64(7)])
    #expect(try store.fetchAggregates(RowRequest("Show")) { _ in [.count] }.values == [.int64(4)])
  }

  @Test func sumsOfTextsAreErrors() throws {
    let error = #expect(throws: StoreError.self) {
      try store.fetchAggregates(shows) { [.sum($0.title), .average($0.publishedAt)] }
    }
    #expect(error?.reason == "sum(title): string has none; average(publishedAt): date has none")
  }

  @Test func rowsThatOrderingsLeaveEqualHaveTheDirectionOfTheLast() throws {
    let ids = try store.fetchIdentities(shows).sorted()
    let equal = shows.order { $0.id * 0 }

    #expect(try store.fetchIdentities(equal) == ids)
    #expect(
      try store.fetchIdentities(equal.order(.descending) { $0.id * 0 }) == Array(ids.reversed()))
  }
}
