import Campaigns
import Foundation
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

/// Follows random edits of a context and commits of others with results of every
/// kind, and compares each with what the context fetches.
///
/// `MOHO_CONTEXT_STEPS` sets the number of steps of each seed, for longer runs.
@Suite(.allEngines) struct RandomContextTests {
  private static let seeds = UInt64(1)...UInt64(Campaign.count(short: 2, full: 36))
  private static let stepCount = Campaign.count("MOHO_CONTEXT_STEPS", short: 24, full: 100)

  private static var requests: [FollowedRequest] {
    let all = ModelRequest<Book>()
    let genre = Operand.key(KeyName(["genre"]))
    let swedish = Locale(identifier: "sv")
    return [
      FollowedRequest("indexed", all.order(by: \.pages)),
      FollowedRequest("descending", all.order(by: \.pages, .descending)),
      FollowedRequest("nils last", all.order(by: \.genre, nils: .last)),
      FollowedRequest("unindexed", all.order(by: \.title, .descending).order(by: \.pages)),
      FollowedRequest(
        "filtered", all.filter { $0.pages > 9 && $0.genre != nil }.order(by: \.pages)),
      FollowedRequest(
        "genres", all.order(by: \.genre).order(by: \.pages, .descending), sectionedBy: genre),
      FollowedRequest(
        "joined", all.filter { $0.shelf.rank > 1 }.order { $0.shelf.rank }.order(by: \.title),
        isRelated: true),
      FollowedRequest(
        "shelves", all.order { $0.shelf.name }.order(by: \.title),
        sectionedBy: .key(KeyName(["shelf", "name"])), isRelated: true),
      FollowedRequest(
        "none", all.filter { $0.chapters.none { $0.length > 2 } }, isRelated: true),
      FollowedRequest("window", all.order(by: \.pages).offset(3).limit(6)),
      FollowedRequest(
        "window of genres", all.order(by: \.genre).order(by: \.title).offset(1).limit(9),
        sectionedBy: genre),
      FollowedRequest(
        "localized",
        all.order(by: \.title, .descending, collation: .localizedStandard(in: swedish))),
      FollowedRequest(
        "genres without case", all.order(by: \.genre, options: .caseInsensitive),
        sectionedBy: genre),
      FollowedRequest(
        "letters",
        all.order(collation: .localized(in: swedish)) { $0.title.indexLetter(in: swedish) }
          .order(by: \.title, collation: .localizedStandard(in: swedish)),
        sectionedBy: .indexLetter(.key(KeyName(["title"])), locale: "sv")),
    ] + searching + firstRows
  }

  private static let firstRows: [FollowedRequest] = {
    let all = ModelRequest<Book>()
    return [
      FollowedRequest(
        "first of genres", all.order(by: \.pages, .descending).first(1, per: { [$0.genre] })),
      FollowedRequest(
        "first of shelves",
        all.filter { $0.pages > 4 }.order(by: \.title)
          .first(2, per: { [$0.shelf.name, $0.genre] }),
        isRelated: true),
      FollowedRequest(
        "window of first rows",
        all.order(by: \.genre).order(by: \.title).first(2, per: { [$0.pages / 3] })
          .offset(1).limit(12),
        sectionedBy: .key(KeyName(["genre"]))),
    ]
  }()

  private static let searching: [FollowedRequest] = {
    let all = ModelRequest<Book>()
    return [
      FollowedRequest("searched", all.filter { $0.matches("title cr*") }.order(by: \.pages)),
      FollowedRequest(
        "searched shelves", all.filter { !$0.shelf.matches("po*") || $0.matches("10") },
        isRelated: true),
      FollowedRequest(
        "window of searched", all.filter { $0.matches("title") && !$0.matches("2") }.limit(4)),
    ]
  }()

  /// Results of one third of the requests, selected by the seed.
  private static func results(
    in context: EditingContext, seed: UInt64
  ) throws -> [FollowedContext] {
    try requests.enumerated().filter { UInt64($0.offset) % 3 == seed % 3 }
      .map { try FollowedContext($0.element, in: context) }
  }

  @Test(arguments: seeds)
  func resultsEqualWhatTheContextFetches(seed: UInt64) throws {
    try follow(seed: seed, changingRequests: false)
  }

  @Test(arguments: seeds)
  func resultsOfNewRequestsEqualWhatTheContextFetches(seed: UInt64) throws {
    try follow(seed: seed, changingRequests: true)
  }

  private func follow(seed: UInt64, changingRequests: Bool) throws {
    let store = try ModelStore.books()
    try RandomBooks.prepare(store)
    var others = RandomBooks(seed: seed)
    for _ in 0..<20 { try others.commit(to: store) }
    var edits = RandomEdits(seed: seed)
    let parent = EditingContext(store)
    // Half of the runs test a child context.
    let context = seed % 2 == 0 ? EditingContext(childOf: parent) : parent
    for _ in 0..<5 { _ = edits.edit(context) }
    let results = try Self.results(in: context, seed: seed)

    var editsPrecedeDetection = false
    for step in 0..<Self.stepCount {
      var action = "commit of others"
      var isRequest = false
      if edits.oneIn(4) {
        try others.commit(to: store)
        editsPrecedeDetection = edits.oneIn(4)
        if editsPrecedeDetection { continue }
        for result in results { try result.catchUp() }
      } else if changingRequests, edits.oneIn(5) {
        action = "other requests"
        isRequest = true
        for result in results {
          let request = edits.element(of: Self.requests)
          action += ", \(result.name) to \(request.name)"
          try result.follow(request)
        }
      } else {
        if changingRequests, edits.oneIn(5) {
          for result in results { result.followInNextUpdate(edits.element(of: Self.requests)) }
        }
        action = edits.edit(edits.oneIn(3) ? parent : context)
        // An undo without effect does not read the store.
        if editsPrecedeDetection { for result in results { try result.catchUp() } }
      }
      for result in results {
        do {
          // Commits before a new request are reported separately.
          try result.check(editsPrecedeDetection: editsPrecedeDetection && !isRequest)
        } catch {
          Issue.record("seed \(seed), step \(step), \(action), \(result.name): \(error)")
          return
        }
      }
      editsPrecedeDetection = false
    }
    // A result with few rows changes less often than the others.
    let updateCount = results.reduce(0) { $0 + $1.updateCount }
    #expect(updateCount > results.count * Self.stepCount / 10)
    for result in results {
      #expect(result.updateCount > Self.stepCount / 20, "\(result.name)")
    }
  }
}
