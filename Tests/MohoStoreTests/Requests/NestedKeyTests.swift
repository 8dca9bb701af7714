import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private typealias Post = Posts.Post

/// Conditions on the keys of nested models.
@Suite(.allEngines) struct NestedKeyTests {
  private let store: ModelStore
  private let posts = ModelRequest<Post>()

  init() throws { store = try .posts() }

  private static let filters: [(String, [Int64], @Sendable (ModelKeys<Post>) -> Filter)] = [
    ("a text", [4], { $0.card.title == "Zoo" }),
    ("not a text", [1, 2, 3], { $0.card.title != "Zoo" }),
    ("a part of a text", [1], { $0.card.title.contains("\"Caf") }),
    (
      "a part in any case", [1],
      { $0.card.title.contains("CAFE", [.caseInsensitive, .diacriticInsensitive]) }
    ),
    ("a prefix", [1], { $0.card.title.hasPrefix("Ä") }),
    ("wildcards", [4], { $0.card.title.like("Z*") }),
    ("a regular expression", [2, 4], { $0.card.title.matches("[A-Zb]o*") }),
    ("an index letter", [1], { $0.card.title.indexLetter == "A" }),
    ("two texts", [1], { $0.card.author.name == $0.cover.name }),
    ("a key that is nil", [2, 3, 4], { $0.card.url == nil }),
    ("a key that is not nil", [1], { $0.card.url != nil }),
    ("a model that is nil", [3], { $0.card == nil }),
    ("a URL", [1], { $0.card.url == URL(string: "https://example.com/a") }),
    ("an integer", [1], { $0.card.size < 10 }),
    ("integers", [1], { [3, 5].contains($0.card.size) }),
    ("a range of integers", [2, 4], { $0.card.size.isBetween(9...11) }),
    ("a double", [1], { $0.card.weight < 1 }),
    ("a whole double", [4], { $0.card.weight == 2 }),
    ("two numbers", [], { $0.card.weight > $0.card.size }),
    ("a decimal", [1], { $0.card.price == Posts.price }),
    ("a greater decimal", [1], { $0.card.price > 2 }),
    ("an unsigned integer", [1], { $0.card.views == UInt64.max }),
    ("a smaller unsigned integer", [4], { $0.card.views < UInt64.max }),
    ("unsigned integers", [1, 4], { [1, UInt64.max].contains($0.card.views) }),
    ("a Boolean", [1], { $0.card.isHidden == true }),
    ("a Boolean key", [1], { $0.card.isHidden && $0.id > 0 }),
    ("a Boolean key that is false", [4], { !$0.card.isHidden }),
    ("a date", [1], { $0.card.updatedAt == Posts.date }),
    ("a later date", [4], { $0.card.updatedAt > Posts.date }),
    ("a date that is moved", [1], { $0.card.updatedAt - 3_600 < Posts.date - 60 }),
    ("a day", [1], { $0.card.day == Posts.date }),
    ("milliseconds", [1], { $0.card.seenAt == Posts.date }),
    ("a UUID", [1], { $0.card.code == Posts.code }),
    ("bytes", [1], { $0.card.bytes == Data([0, 255]) }),
    ("an enum", [1], { $0.card.kind == .video }),
    ("enums", [1], { $0.card.kind.isOne(of: [Posts.Kind.photo, .video]) }),
    ("an enum or nil", [1, 2, 3, 4], { $0.card.kind.isOne(of: [Posts.Kind.video, nil]) }),
    ("a number in a text", [1], { $0.card.rank == 7 }),
    ("a store-only key", [1], { $0.card.note == "n" }),
    ("a model in a model", [2, 3], { $0.card.author == nil }),
    ("a key of a model in a model", [4], { $0.card.author.name == "Dee" }),
    ("a nil key of a model in a model", [2, 3, 4], { $0.card.author.age == nil }),
    ("an array", [1], { $0.card.tags != nil }),
    ("an inlined model", [2, 3], { $0.card.span == nil }),
    ("a key of an inlined model", [4], { $0.card.span.length == 5 }),
    ("an inlined model of a row", [2], { $0.frame.length > 5 }),
    ("a required model", [2], { $0.cover.name == "Ben" }),
    ("a sum", [1], { $0.card.size + 1 == 4 }),
    ("a sum with nil", [2, 3, 4], { $0.card.author.age + 1 == nil }),
    ("several keys", [4], { $0.card.size == 10 && $0.card.author != nil || $0.card.views == 1 }),
  ]

  @Test(arguments: filters.indices)
  func `SQL selects rows by keys of nested models`(index: Int) throws {
    let (name, expected, condition) = Self.filters[index]
    let request = posts.filter(condition)

    #expect(try store.fetchIdentities(request) == expected, "\(name): \(request.filter)")
    #expect(try store.fetchCount(request) == expected.count)
  }

  @Test(arguments: filters.indices)
  func `memory selects the same rows`(index: Int) throws {
    let (name, expected, condition) = Self.filters[index]
    let evaluator = try RequestEvaluator(posts.filter(condition), in: store.schema)
    let rows = try StoredRows(store)["Post"]

    #expect(evaluator.result(of: rows).map(\.identity) == expected, "\(name)")
  }

  @Test func `names of keys lead into nested models`() throws {
    let request = RowRequest("Post").filter {
      $0["card"]["author"]["name"] == "Ada" && $0["card"]["span"]["length"] > 5
        && ["Ada", "Eve"].contains($0["cover"]["name"]) && $0["card"]["isHidden"]
        && $0["card"]["tags"] != nil
    }

    #expect(try store.fetchIdentities(request) == [1])
    #expect(request.filter.description.contains("card.author.name == \"Ada\""))
  }

  @Test func `an optional Boolean key is a condition`() throws {
    #expect(try store.fetchIdentities(posts.filter { $0.card.isHidden }) == [1])
    #expect(try store.fetchIdentities(posts.filter { !$0.card.isHidden }) == [4])
    #expect(
      try store.fetchIdentities(posts.filter { $0.card.isHidden || $0.card.isHidden == nil })
        == [1, 2, 3])
  }

  @Test func `rows are sorted by keys of nested models`() throws {
    func order(_ request: ModelRequest<Post>) throws -> [Int64] {
      let stored = try store.fetchIdentities(request)
      let evaluator = try RequestEvaluator(request, in: store.schema)
      #expect(try evaluator.result(of: StoredRows(store)["Post"]).map(\.identity) == stored)
      return stored
    }

    #expect(try order(posts.order { $0.card.title }) == [3, 4, 2, 1])
    #expect(
      try order(
        posts.order(options: [.caseInsensitive, .diacriticInsensitive]) { $0.card.title })
        == [3, 1, 2, 4])
    #expect(try order(posts.order(.descending) { $0.card.price }) == [1, 4, 3, 2])
    #expect(try order(posts.order(nils: .last) { $0.card.views }) == [4, 1, 2, 3])
    #expect(try order(posts.order { $0.card.updatedAt }) == [2, 3, 1, 4])
    #expect(try order(posts.order(.descending) { $0.card.isHidden }) == [1, 4, 3, 2])
    #expect(try order(posts.order { $0.card.author.name }) == [2, 3, 1, 4])
  }

  @Test func `values of nested models are fetched`() throws {
    let rows = try store.fetchValues(posts.filter { $0.id <= 2 }) {
      [
        $0.card.title, $0.card.size, $0.card.price, $0.card.views, $0.card.isHidden,
        $0.card.updatedAt, $0.card.author.name,
      ]
    }
    let sums = try store.fetchAggregates(posts) {
      [.sum($0.card.size), .count($0.card.author.age), .maximum($0.card.title)]
    }
    let groups = try store.fetchAggregates(posts, groupedBy: { [$0.card.size] }) { _ in [.count] }

    #expect(
      rows.map(\.values) == [
        [
          .string("Ä \"Café\""), .int64(3), .decimal(Posts.price), .decimal(Decimal(UInt64.max)),
          .bool(true), .date(Posts.date), .string("Ada"),
        ],
        [.string("b"), .int64(10), .null, .null, .null, .null, .null],
      ])
    #expect(rows.first?.names.last == "card.author.name")
    #expect(sums.values == [.int64(23), .int64(1), .string("Ä \"Café\"")])
    #expect(
      groups.map(\.values) == [
        [.null, .int64(1)], [.int64(3), .int64(1)], [.int64(10), .int64(2)],
      ])
  }

  @Test func `models are fetched and deleted by keys of nested models`() throws {
    let request = posts.filter { $0.card.author.name == "Ada" }

    #expect(try store.fetch(request) == store.fetch(posts.filter { $0.id == 1 }))
    #expect(try store.write { try $0.delete(request) } == 1)
    #expect(try store.fetchIdentities(posts) == [2, 3, 4])
  }

  @Test func `a context finds unsaved changes of nested models`() throws {
    let context = EditingContext(store)
    let post = try #require(try context.fetch(posts.filter { $0.id == 2 }).first)
    var card = try #require(try post.card)
    card.author = Posts.Author(name: "Fay", age: nil)
    post.card = card

    let found = try context.fetch(posts.filter { $0.card.author.name == "Fay" })
    #expect(found == [post])
    #expect(try context.fetch(posts.filter { $0.card.author != nil }).count == 3)
    #expect(try store.fetchCount(posts.filter { $0.card.author.name == "Fay" }) == 0)
  }

  @Test func `conditions on keys of nested models suggest no index`() throws {
    let explanation = try store.explain(
      posts.filter { $0.card.title == "b" }.order { $0.card.size })

    #expect(explanation.suggestedIndex == [])
    #expect(explanation.indexes == [])
  }
}
