import Campaigns
import Foundation
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

/// Follows random transactions with results of every kind, and compares each with
/// one that reads all rows again.
///
/// `MOHO_RESULTS_STEPS` sets the number of transactions for each seed, and
/// `MOHO_RESULTS_SEED` sets the first seed, for longer runs.
@Suite(.allEngines) struct RandomFollowingTests {
  static let seeds = Campaign.seeds(from: "MOHO_RESULTS_SEED", default: 1, count: 5)

  /// The number of transactions of a test.
  ///
  /// - Parameter divisor: The share of the test in a full campaign.
  private static func stepCount(short: Int, divisor: Int = 1) -> Int {
    if let steps = Campaign.number("MOHO_RESULTS_STEPS") { return max(1, steps / divisor) }
    return Campaign.count(short: short, full: 3_600 / divisor)
  }

  /// A request of each kind, with its section key.
  private static var requests: [(String, ModelRequest<Book>, Operand?)] {
    let all = ModelRequest<Book>()
    let genre = Operand.key(KeyName(["genre"]))
    let swedish = Locale(identifier: "sv")
    return [
      ("indexed", all.order(by: \.pages), nil),
      ("descending", all.order(by: \.pages, .descending), nil),
      (
        "fixed", all.filter { $0.genre == "crime" }.order(by: \.genre, .descending), nil
      ),
      ("nils last", all.order(by: \.genre, nils: .last), nil),
      ("unindexed", all.order(by: \.title, .descending).order(by: \.pages), nil),
      (
        "filtered", all.filter { $0.pages > 9 && $0.genre != nil }.order(by: \.pages), nil
      ),
      ("sections", all.order(by: \.genre).order(by: \.pages, .descending), genre),
      (
        "joined", all.filter { $0.shelf.rank > 1 }.order { $0.shelf.rank }.order(by: \.title),
        nil
      ),
      (
        "sections of related rows", all.order { $0.shelf.name }.order(by: \.title),
        .key(KeyName(["shelf", "name"]))
      ),
      ("any", all.filter { $0.chapters.any { $0.length > 20 } }, nil),
      ("count", all.order(.descending) { $0.chapters.count }, nil),
      ("tags", all.filter { $0.tags.any { $0.weight > 3 } }.order(by: \.title), nil),
      ("window", all.order(by: \.pages).offset(3).limit(6), nil),
      (
        "window of sections", all.order(by: \.genre).order(by: \.title).offset(1).limit(9),
        genre
      ),
      ("nothing", all.limit(0), nil),
      ("identities", all.filter { $0.pages > 4 }.order(by: \.id), nil),
      ("identities, descending", all.order(by: \.id, .descending), nil),
      (
        "window of identities", all.order(by: \.id).filter { $0.genre != nil }.offset(2).limit(5),
        nil
      ),
      (
        "computed", all.order { $0.pages * 3 - $0.id }, nil
      ),
      (
        "sections, descending", all.order(by: \.genre, .descending).order(by: \.id, .descending),
        genre
      ),
      (
        "localized",
        all.order(by: \.title, .descending, collation: .localizedStandard(in: swedish)),
        nil
      ),
      (
        "sections, localized", all.order(by: \.genre, collation: .localized(in: swedish)), genre
      ),
      (
        "sections without case", all.order(by: \.genre, nils: .last, options: .caseInsensitive),
        genre
      ),
      (
        "letters",
        all.order(collation: .localized(in: swedish)) { $0.title.indexLetter(in: swedish) }
          .order(by: \.title, collation: .localizedStandard(in: swedish)),
        .indexLetter(.key(KeyName(["title"])), locale: "sv")
      ),
    ] + searching + firstRows
  }

  private static var firstRows: [(String, ModelRequest<Book>, Operand?)] {
    let all = ModelRequest<Book>()
    let genre = Operand.key(KeyName(["genre"]))
    return [
      (
        "first of genres", all.order(by: \.pages, .descending).first(1, per: { [$0.genre] }), nil
      ),
      (
        "first of shelves",
        all.filter { $0.pages > 4 }.order(by: \.title)
          .first(2, per: { [$0.shelf.name, $0.genre] }),
        nil
      ),
      (
        "first in sections",
        all.order(by: \.genre).order(by: \.title).first(2, per: { [$0.pages / 10] }), genre
      ),
      (
        "window of first rows",
        all.order(by: \.genre).order(by: \.pages).first(2, per: { [$0.shelf.rank] })
          .offset(2).limit(5),
        genre
      ),
      ("first of all", all.order { $0.shelf.rank }.first(6, per: { _ in [] }), nil),
    ]
  }

  private static var searching: [(String, ModelRequest<Book>, Operand?)] {
    let all = ModelRequest<Book>()
    let genre = Operand.key(KeyName(["genre"]))
    return [
      (
        "searched",
        all.filter { $0.matches("title 1") || !$0.matches("10 cr*") }.order(by: \.pages),
        nil
      ),
      (
        "searched shelves",
        all.filter { $0.shelf.matches("po*") || $0.matches("1", in: \.title) }.order(by: \.genre),
        genre
      ),
      ("relevance", all.filter { $0.matches("title") }.order(by: .relevance), nil),
      (
        "relevance in a genre",
        all.filter { $0.genre == "crime" && $0.matches("title cr*") }.order(by: .relevance), nil
      ),
      (
        "window of relevance",
        all.filter { $0.matches("title") && $0.pages > 3 }.order(by: .relevance).offset(1).limit(6),
        nil
      ),
    ]
  }

  /// One fifth of the requests. Five successive seeds select all requests.
  private static func requests(of seed: UInt64) -> [(String, ModelRequest<Book>, Operand?)] {
    requests.enumerated().filter { UInt64($0.offset) % 5 == seed % 5 }.map(\.element)
  }

  /// Whether the sections of a request have summaries: those of every second request.
  private static func hasSummaries(_ index: Int, _ seed: UInt64) -> Bool {
    (index + Int(seed % 2)).isMultiple(of: 2)
  }

  @Test(arguments: seeds)
  func resultsEqualReadingAllRowsAgain(seed: UInt64) throws {
    let store = try ModelStore.books()
    try follow(store, seed: seed, steps: Self.stepCount(short: 50)) { random in
      try random.commit(to: store)
    }
  }

  @Test(arguments: seeds)
  func commitsOfAnotherProcessAreFollowedTheSameWay(seed: UInt64) throws {
    try ModelStore.withExternalWriter { store, writer in
      try follow(store, seed: seed, steps: Self.stepCount(short: 25, divisor: 10)) { random in
        try random.commit(to: store, orBy: writer)
      }
    }
  }

  @Test(arguments: seeds)
  func slowConsumersReceiveTheDifferencesBetweenTheirStates(seed: UInt64) throws {
    let store = try ModelStore.books()
    try RandomBooks.prepare(store)
    var random = RandomBooks(seed: seed)
    for _ in 0..<20 { try random.commit(to: store) }
    let requests = Campaign.isRunning ? Self.requests : Self.requests(of: seed)
    var consumers = try requests.enumerated().map { index, followed in
      try LaggingConsumer(
        followed.0, followed.1, sectionedBy: followed.2,
        hasSummaries: Self.hasSummaries(index, seed), in: store, seed: seed)
    }

    var state = try BookState(store)
    let steps = Self.stepCount(short: 40, divisor: 12)
    for step in 0..<steps {
      try random.commit(to: store)
      let later = try BookState(store)
      for index in consumers.indices {
        do {
          try consumers[index].follow(from: state, to: later)
        } catch {
          Issue.record("seed \(seed), transaction \(step), \(consumers[index].name): \(error)")
          return
        }
      }
      state = later
    }
    let changeCount = consumers.reduce(0) { $0 + $1.changeCount }
    #expect(changeCount > consumers.count * steps * 3 / 50)
  }

  private func follow(
    _ store: ModelStore, seed: UInt64, steps: Int, _ commit: (inout RandomBooks) throws -> Void
  ) throws {
    try RandomBooks.prepare(store)
    var random = RandomBooks(seed: seed)
    for _ in 0..<20 { try random.commit(to: store) }
    var pairs = try Self.requests(of: seed).enumerated().map { index, followed in
      try ControllerPair(
        followed.0, followed.1, sectionedBy: followed.2,
        hasSummaries: Self.hasSummaries(index, seed), in: store)
    }

    for step in 0..<steps {
      try commit(&random)
      let state = try BookState(store)
      for index in pairs.indices {
        do {
          try pairs[index].check(state)
        } catch {
          Issue.record(
            """
            seed \(seed), transaction \(step), \(pairs[index].name): \(error)
            \(random.statements.joined(separator: "\n"))
            """)
          return
        }
      }
    }
    for pair in pairs where pair.name != "nothing" {
      // A short run may not change the result.
      #expect(pair.changeCount > steps / 100 || steps < 100, "\(pair.name)")
      // An order by relevance is read again.
      let counts = pair.controller.strategyCounts
      let isRanked = pair.name.contains("relevance")
      #expect(
        (isRanked ? counts.rescanned : counts.repositioned) > steps / 100 || steps < 100,
        "\(pair.name)")
    }
  }
}
