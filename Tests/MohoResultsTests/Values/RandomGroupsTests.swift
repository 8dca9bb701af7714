import Campaigns
import MohoChanges
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@testable import MohoResults

/// Follows random transactions with groups in all kinds of orders, and compares them with
/// plain SQL after each transaction.
@Suite(.allEngines) struct RandomGroupsTests {
  /// Followed groups, and the SQL that computes them.
  private struct Followed {
    let name: String
    private let sql: String
    private let follower: ValueFollower<GroupsSnapshot>
    private var consumer: GroupsConsumer
    private var slowConsumer: GroupsConsumer

    init(
      _ name: String, _ request: GroupRequest<ModelRequest<Book>>, orderedBy ordering: String = "",
      _ sql: String, in store: ModelStore
    ) throws {
      self.name = name
      self.sql = sql
      follower = try .following(.groups(request), in: store)
      consumer = GroupsConsumer(orderedBy: ordering)
      slowConsumer = consumer
    }

    /// Throws if the groups differ from those of the store, or if their changes do not lead
    /// to them.
    mutating func check(_ store: ModelStore, isSlowConsumerReady: Bool) throws {
      let groups = follower.state.value
      let texts = groups.map { $0.values.values.map(Self.text).joined(separator: "|") }
      let expected = try store.values(sql)
      try require(texts == expected, "\(texts) is not \(expected)")
      let isNew = consumer.known.log.generation != groups.log.generation
      let isFirst = consumer.known.names.isEmpty
      try consumer.receive(groups)
      try require(
        isFirst || isNew || consumer.lastChanges.isEmpty,
        "generation \(groups.log.generation) with the changes \(consumer.lastChanges)")
      if isSlowConsumerReady { try slowConsumer.receive(groups) }
    }

    private static func text(_ value: FieldContent) -> String {
      switch value {
      case .null: "NULL"
      case .string(let text): text.debugDescription
      case .int64(let integer): "\(integer)"
      case .double(let number): "\(number)"
      default: "\(value)"
      }
    }
  }

  private static func followed(in store: ModelStore) throws -> [Followed] {
    let all = ModelRequest<Book>()
    let genres = all.grouped(by: { [$0.genre] }) { [.count, .sum($0.pages)] }
    let titles = all.grouped(by: { [$0.title] }) { [.count, .maximum($0.pages)] }
    let shelves = all.grouped(by: { [$0.shelf.rank, $0.genre] }) {
      [.count, .minimum($0.shelf.name), .average($0.pages)]
    }
    let sum = "CAST(sum(pages) AS bigint)"
    let totals = "genre, count(*), \(sum)"
    // The database sorts texts by their bytes.
    let genre = #"genre COLLATE \#(store.isOnPostgres ? "\"C\"" : "BINARY") NULLS FIRST"#
    let title = #"title COLLATE \#(store.isOnPostgres ? "\"C\"" : "BINARY")"#
    let ofShelves = #"""
      SELECT s.rank, genre, count(*), min(s.name),
        CAST(sum(pages) AS double precision) / count(*)
      FROM "Book" b LEFT JOIN "Shelf" s ON s.id = b.shelf GROUP BY 1, 2
      """#
    return try [
      Followed(
        "genres", genres, #"SELECT \#(totals) FROM "Book" GROUP BY 1 ORDER BY \#(genre)"#,
        in: store),
      Followed(
        "longest genres", genres.order(.descending) { .sum($0.pages) }.limit(2),
        orderedBy: "sum(pages)",
        #"SELECT \#(totals) FROM "Book" GROUP BY 1 ORDER BY 3 DESC, \#(genre) LIMIT 2"#,
        in: store),
      Followed(
        "rare titles",
        titles.having { .count < 3 && .maximum($0.pages) >= 5 }.order { _ in .count },
        orderedBy: "count",
        #"""
        SELECT title, count(*), max(pages) FROM "Book" GROUP BY 1
        HAVING count(*) < 3 AND max(pages) >= 5 ORDER BY 2, \#(title)
        """#, in: store),
      Followed(
        "some titles",
        titles.order(.descending) { .maximum($0.pages) }.offset(1).limit(4),
        orderedBy: "maximum(pages)",
        #"""
        SELECT title, count(*), max(pages) FROM "Book" GROUP BY 1
        ORDER BY 3 DESC, \#(title) LIMIT 4 OFFSET 1
        """#, in: store),
      Followed(
        "titles in reverse", titles.order(.descending, by: { $0.title }),
        #"""
        SELECT title, count(*), max(pages) FROM "Book" GROUP BY 1 ORDER BY \#(title) DESC
        """#, in: store),
      Followed(
        "shelves",
        shelves.having { .minimum($0.shelf.name) != "poetry" || .count > 2 }
          .order(.descending, nils: .first) { .minimum($0.shelf.name) },
        orderedBy: "minimum(shelf.name)",
        ofShelves + """
           HAVING count(*) > 2 OR coalesce(min(s.name), '') <> 'poetry'
          ORDER BY 4 DESC NULLS FIRST, 1 NULLS FIRST, \(genre)
          """, in: store),
      Followed(
        "full shelves", shelves.order(.descending) { .average($0.pages) }.limit(6),
        orderedBy: "average(pages)",
        ofShelves + " ORDER BY 5 DESC, 1 NULLS FIRST, \(genre) LIMIT 6", in: store),
      Followed(
        "books with long chapters",
        all.filter { $0.chapters.any { $0.length > 9 } }
          .grouped(by: { [$0.pages / 4] }) { [.count, .count($0.genre), .minimum($0.title)] }
          .order { .count($0.genre) },
        orderedBy: "count(genre)",
        #"""
        SELECT pages / 4, count(*), count(genre), min(\#(title)) FROM "Book" b
        WHERE EXISTS (SELECT 1 FROM "Chapter" c WHERE c.book = b.id AND c.length > 9)
        GROUP BY 1 ORDER BY 3, 1
        """#, in: store),
      Followed(
        "genres with their long books",
        all.grouped(by: { [$0.genre] }) { book in
          [
            .count.filter(book.pages > 4), .sum(book.pages).filter(book.shelf.rank > 1),
            .maximum(book.title).filter(book.pages > 4).filter(book.chapters.any { $0.length > 5 }),
          ]
        }
        .having { .count.filter($0.pages > 4) > 0 }
        .order(.descending) { .count.filter($0.pages > 4) },
        orderedBy: "count where pages > 4",
        #"""
        SELECT genre, count(*) FILTER (WHERE pages > 4),
          CAST(sum(pages) FILTER (WHERE s.rank > 1) AS bigint),
          max(\#(title)) FILTER (WHERE pages > 4 AND EXISTS (
            SELECT 1 FROM "Chapter" c WHERE c.book = b.id AND c.length > 5))
        FROM "Book" b LEFT JOIN "Shelf" s ON s.id = b.shelf GROUP BY 1
        HAVING count(*) FILTER (WHERE pages > 4) > 0 ORDER BY 2 DESC, \#(genre)
        """#, in: store),
      Followed(
        "all",
        all.grouped(by: { _ in [] }) { [.count, .sum($0.pages)] }.having { _ in .count > 5 },
        #"SELECT count(*), \#(sum) FROM "Book" HAVING count(*) > 5"#, in: store),
      Followed(
        "page",
        all.order(by: \.pages).limit(9).grouped(by: { [$0.genre] }) { [.count, .sum($0.pages)] }
          .order(.descending) { _ in .count },
        orderedBy: "count",
        #"""
        SELECT \#(totals) FROM (SELECT * FROM "Book" ORDER BY pages, id LIMIT 9) AS b
        GROUP BY 1 ORDER BY 2 DESC, \#(genre)
        """#, in: store),
    ]
  }

  /// Follows transactions with all groups.
  private func follow(
    _ store: ModelStore, seed: UInt64, steps: Int, commit: (inout RandomBooks) throws -> Void
  ) throws {
    try RandomBooks.prepare(store)
    var random = RandomBooks(seed: seed)
    var followed = try Self.followed(in: store)
    for step in 0..<steps {
      try commit(&random)
      for index in followed.indices {
        do {
          try followed[index].check(
            store, isSlowConsumerReady: (step + index).isMultiple(of: 7))
        } catch {
          Issue.record(
            "seed \(seed), step \(step), \(followed[index].name): \(error)\n\(random.statements)")
          return
        }
      }
    }
  }

  @Test(arguments: Campaign.seeds(from: "MOHO_RESULTS_SEED", default: 1, count: 4))
  func groupsAreThoseOfSQLAfterEachCommit(seed: UInt64) throws {
    let store = try ModelStore.books()
    let steps = Campaign.count("MOHO_RESULTS_STEPS", short: 60, full: 2_000)
    try follow(store, seed: seed, steps: steps) { try $0.commit(to: store) }
  }

  @Test(arguments: Campaign.seeds(from: "MOHO_RESULTS_SEED", default: 1, count: 2))
  func groupsFollowOtherProcesses(seed: UInt64) throws {
    try ModelStore.withExternalWriter { store, writer in
      try follow(store, seed: seed, steps: Campaign.count(short: 20, full: 300)) {
        try $0.commit(to: store, orBy: writer)
      }
    }
  }
}
