import Campaigns
import MohoChanges
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@testable import MohoResults

/// Compares the first rows of groups with SQL without window functions, after each of many
/// random transactions: as requests, as lists and as observed values.
@Suite(.allEngines) struct RandomFirstRowsTests {
  /// A request, and the parts of the SQL that selects the same rows.
  private struct Case {
    let name: String
    let request: ModelRequest<Book>
    var section: Operand?
    /// The conditions of a book `b` with its shelf `s`.
    var condition = "1 = 1"
    /// The keys of the groups.
    let keys: [String]
    /// Whether a book precedes another one. `FIRST` and `SECOND` are replaced by their aliases.
    let precedes: String
    let order: String
    let count: Int
    var page = ""

    func sql(_ store: ModelStore) -> String {
      func rows(_ books: String, _ shelves: String) -> String {
        #"FROM "Book" \#(books) LEFT JOIN "Shelf" \#(shelves) ON \#(shelves).id = \#(books).shelf"#
      }
      func renamed(_ text: String, _ book: String, _ shelf: String) -> String {
        text.replacing("b.", with: book + ".").replacing("s.", with: shelf + ".")
      }
      let isSame = store.isOnPostgres ? "IS NOT DISTINCT FROM" : "IS"
      let keys = keys.map { "\(renamed($0, "o", "p")) \(isSame) \($0)" }
      let precedes = precedes.replacing("FIRST", with: "o").replacing("SECOND", with: "b")
        .replacing("SHELF1", with: "p").replacing("SHELF2", with: "s")
      let order = store.isOnPostgres ? order : order.replacing(#"COLLATE "C""#, with: "")
      let compared = store.isOnPostgres ? precedes : precedes.replacing(#"COLLATE "C""#, with: "")
      let conditions = [renamed(condition, "o", "p"), "(\(compared))"] + keys
      return """
        SELECT b.id \(rows("b", "s")) WHERE \(condition) AND (
          SELECT count(*) \(rows("o", "p")) WHERE \(conditions.joined(separator: " AND "))
        ) < \(count) ORDER BY \(order) \(page)
        """
    }
  }

  private static let cases: [Case] = {
    let all = ModelRequest<Book>()
    let title = #"COLLATE "C""#
    return [
      Case(
        name: "longest of genres",
        request: all.order(by: \.pages, .descending).first(1, per: { [$0.genre] }),
        keys: ["b.genre"], precedes: "(FIRST.pages, FIRST.id) > (SECOND.pages, SECOND.id)",
        order: "b.pages DESC, b.id DESC", count: 1),
      Case(
        name: "two of shelves",
        request: all.first(2, per: { [$0.shelf.id] }).filter { $0.pages > 4 }.order(by: \.title),
        condition: "b.pages > 4", keys: ["b.shelf"],
        precedes:
          "FIRST.title \(title) < SECOND.title OR FIRST.title = SECOND.title AND FIRST.id < SECOND.id",
        order: "b.title \(title), b.id", count: 2),
      Case(
        name: "names of shelves and genres",
        request: all.order { $0.shelf.rank }.first(2, per: { [$0.shelf.name, $0.genre] }),
        keys: ["s.name", "b.genre"],
        precedes:
          "(coalesce(SHELF1.rank, -1), FIRST.id) < (coalesce(SHELF2.rank, -1), SECOND.id)",
        order: "coalesce(s.rank, -1), b.id", count: 2),
      Case(
        name: "numbers of chapters",
        request: all.order(by: \.pages).first(3, per: { [$0.chapters.count] }).offset(1).limit(6),
        keys: [#"(SELECT count(*) FROM "Chapter" c WHERE c.book = b.id)"#],
        precedes: "(FIRST.pages, FIRST.id) < (SECOND.pages, SECOND.id)",
        order: "b.pages, b.id", count: 3, page: "LIMIT 6 OFFSET 1"),
      Case(
        name: "sections",
        request: all.order(by: \.genre, nils: .last).order(by: \.pages)
          .first(2, per: { [$0.pages / 8] }).limit(7),
        section: .key(KeyName(["genre"])), keys: ["b.pages / 8"],
        precedes: """
          (coalesce(FIRST.genre, 'z') \(title), FIRST.pages, FIRST.id)
            < (coalesce(SECOND.genre, 'z'), SECOND.pages, SECOND.id)
          """,
        order: "coalesce(b.genre, 'z') \(title), b.pages, b.id", count: 2, page: "LIMIT 7"),
      Case(
        name: "titles", request: all.first(1, per: { [$0.title] }), keys: ["b.title"],
        precedes: "FIRST.id < SECOND.id", order: "b.id", count: 1),
      Case(
        name: "no rows", request: all.first(0, per: { [$0.title] }), keys: ["b.title"],
        precedes: "FIRST.id < SECOND.id", order: "b.id", count: 0),
    ]
  }()

  /// A followed case.
  private struct Followed {
    let tested: Case
    private var pair: ControllerPair
    private let count: ValueFollower<Int>
    private let exists: ValueFollower<Bool>
    private let values: ValueFollower<[ValueRow]>
    private let sum: ValueFollower<ValueRow>
    private let models: ValueFollower<[Book]>
    private let first: ValueFollower<Book?>
    private let groups: ValueFollower<GroupsSnapshot>

    init(_ tested: Case, in store: ModelStore) throws {
      let request = tested.request
      self.tested = tested
      pair = try ControllerPair(
        tested.name, tested.request, sectionedBy: tested.section, hasSummaries: true, in: store)
      count = try .following(.count(request), in: store)
      exists = try .following(.exists(request), in: store)
      values = try .following(.values(request) { [$0.id] }, in: store)
      sum = try .following(.aggregates(request) { [.count, .sum($0.id)] }, in: store)
      models = try .following(.models(request), in: store)
      first = try .following(.first(request), in: store)
      groups = try .following(
        .groups(request.grouped(by: { [$0.id] }) { _ in [.count] }), in: store)
    }

    /// Throws if a list or a value differs from the rows of the store.
    mutating func check(_ store: ModelStore, _ state: BookState) throws {
      let expected = try store.values(tested.sql(store)).compactMap { Int($0) }
      let found = try store.fetchIdentities(tested.request).map { Int($0) }
      try require(found == expected, "\(found) is not \(expected)")
      try require(count.state.value == expected.count, "\(count.state) of \(expected)")
      try require(exists.state.value == !expected.isEmpty, "\(exists.state) of \(expected)")
      let ids = expected.map { FieldContent.int64(Int64($0)) }
      try require(values.state.value.map(\.values) == ids.map { [$0] }, "\(values.state)")
      try require(models.state.value.map(\.id) == expected, "\(models.state)")
      try require(first.state.value?.id == expected.first, "\(first.state)")
      let total = expected.isEmpty ? FieldContent.null : .int64(Int64(expected.reduce(0, +)))
      try require(
        sum.state.value.values == [.int64(Int64(expected.count)), total], "\(sum.state)")
      try require(
        groups.state.value.map { $0.values.values[0] }
          == expected.sorted().map { .int64(Int64($0)) }, "\(groups.state.value.rows)")
      try pair.check(state)
    }
  }

  private func follow(
    _ store: ModelStore, seed: UInt64, steps: Int, commit: (inout RandomBooks) throws -> Void
  ) throws {
    try RandomBooks.prepare(store)
    var random = RandomBooks(seed: seed)
    for _ in 0..<20 { try random.commit(to: store) }
    var followed = try Self.cases.map { try Followed($0, in: store) }
    for step in 0..<steps {
      try commit(&random)
      let state = try BookState(store)
      for index in followed.indices {
        do {
          try followed[index].check(store, state)
        } catch {
          Issue.record(
            """
            seed \(seed), step \(step), \(followed[index].tested.name): \(error)
            \(random.statements.joined(separator: "\n"))
            """)
          return
        }
      }
    }
  }

  @Test(arguments: Campaign.seeds(from: "MOHO_RESULTS_SEED", default: 1, count: 3))
  func firstRowsAreThoseOfSQLAfterEachCommit(seed: UInt64) throws {
    let store = try ModelStore.books()
    let steps = Campaign.count("MOHO_RESULTS_STEPS", short: 40, full: 1_500)
    try follow(store, seed: seed, steps: steps) { try $0.commit(to: store) }
  }

  @Test(arguments: Campaign.seeds(from: "MOHO_RESULTS_SEED", default: 1, count: 2))
  func firstRowsFollowOtherProcesses(seed: UInt64) throws {
    try ModelStore.withExternalWriter { store, writer in
      try follow(store, seed: seed, steps: Campaign.count(short: 15, full: 200)) {
        try $0.commit(to: store, orBy: writer)
      }
    }
  }
}
