import Campaigns
import MohoMapping
import MohoTesting
import StoreTesting
import Testing

@testable import MohoPostgres
@testable import MohoRows
@testable import MohoSQLite

/// Searches stores with the same rows on both engines.
@Suite(.requiresPostgres)
struct EngineSearchTests {
  private static let seeds = Campaign.seeds(
    from: "MOHO_SEARCH_SEED", count: Campaign.count(short: 4, full: 200))

  private static let note = Entity(
    "Note",
    attributes: [Attribute("title", .string), Attribute("body", .string, isOptional: true)],
    searchable: ["title", "body"])

  private static let words = [
    "moon", "Moon", "MOONS", "a", "a", "b", "io", "Éclair", "e\u{301}t\u{323}e", "日本語", "漢",
    "Straße", "ΣΊΣ", "12", "x1", "٢٣", "\u{10400}\u{10428}", "🥐", "Ǆ", "İi", "ﬀ", "a\u{300}", "й",
    "don't", "O’Neil", "\u{E000}", "क्षि",
  ]

  private static let gaps = [
    " ", " ", " ", ", ", ". ", ": ", "'", "-", "\n", "  ", "…", "\u{301} ", "🚀", " (", "! ", "\t",
    ".\n", "\u{A0}", "\u{300}", "\u{200D}", "\\", "$r$",
  ]

  private static func text(_ random: inout SeededGenerator, _ count: Int) -> String {
    var text = random.oneIn(3) ? random.one(of: gaps) : ""
    for _ in 0..<random.below(count) { text += random.one(of: words) + random.one(of: gaps) }
    if random.oneIn(40) { text += String(repeating: random.one(of: words), count: 400) + " end" }
    return text
  }

  private static func query(_ random: inout SeededGenerator) -> String {
    (0...random.below(3)).map { _ in
      var term = random.one(of: words)
      switch random.below(6) {
      case 0:
        term = String(String.UnicodeScalarView(term.unicodeScalars.prefix(1 + random.below(2))))
        term += "*"
      case 1:
        let phrase = (0...random.below(3)).map { _ in random.one(of: words) }
        term = "\"\(phrase.joined(separator: " "))\"\(random.oneIn(3) ? "*" : "")"
      case 2: term += random.one(of: gaps) + random.one(of: words)
      case 3 where random.oneIn(4): term = String(repeating: term, count: 400)
      default: break
      }
      return term
    }.joined(separator: random.one(of: [" ", " ", "\"", "-", " OR "]))
  }

  @Test(arguments: seeds)
  func bothEnginesFindAndMarkTheSameTexts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let schema = try Schema([Self.note])
    let file = try TestedEngine.$current.withValue(.sqlite) { try emptyStore(schema) }
    let server = try TestedEngine.$current.withValue(.postgres) { try emptyStore(schema) }
    let texts: [(String, String?)] = (0..<150).map { _ in
      let count = random.one(of: [3, 10, 40, 120])
      return (Self.text(&random, count), random.oneIn(8) ? nil : Self.text(&random, 20))
    }
    for store in [file, server] {
      try store.write { writer in
        for (title, body) in texts {
          try writer.execute(
            sql: #"INSERT INTO "Note" (title, body) VALUES ($1, $2)"#, arguments: [title, body])
        }
      }
    }
    var found = 0
    for number in 0..<40 {
      let text = SearchText(Self.query(&random), lastWord: random.oneIn(3) ? .prefix : .whole)
      let keys = random.one(of: [[], [], ["title"], ["body"], ["body", "title"]])
      let count = random.one(of: [2, 3, 5, 8, 16, 64])
      let name = "seed \(seed), search \(number): \(text) in \(keys), \(count) words"
      let comment = Comment(rawValue: name)
      let filter = Filter.search(KeyName([]), text, in: keys.map { KeyName([$0]) })
      let request = RowRequest("Note").filter { _ in filter }
      let negation: Filter = !filter
      let excluded = RowRequest("Note").filter { _ in negation }

      let rows = try [file, server].map { store in
        try store.fetchValues(request) { row in
          [
            row["title"].highlighted("<", ">"), row["body"].highlighted("\\1", "$$"),
            row["title"].snippet("[", "]", words: count),
            row["body"].snippet("[", "", ellipsis: "", words: count),
          ]
        }.map(\.values)
      }

      let identities = try [file, server].map { try $0.fetchIdentities(request) }
      try #require(identities[0] == identities[1], comment)
      try #require(rows[0] == rows[1], comment)
      try #require(
        try file.fetchIdentities(excluded) == server.fetchIdentities(excluded), comment)
      let context = try EditingContext(server).fetch(request)
      try #require(context.compactMap { $0.identity.stored } == identities[0], comment)
      found += identities[0].count
    }
    #expect(found > 40, "seed \(seed)")
  }

  /// The average length of the rows that are found is that of all rows: each row has a row with
  /// the same length that is not found.
  @Test(arguments: seeds)
  func relevanceIsTheSameIfTheAverageLengthIs(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let schema = try Schema([Self.note])
    let stores = try [TestedEngine.sqlite, .postgres].map { engine in
      try TestedEngine.$current.withValue(engine) { try emptyStore(schema) }
    }
    let texts = (0..<60).flatMap { _ -> [(String, String?)] in
      let found = (0..<1 + random.below(12)).map { _ in
        random.one(of: ["moon", "moon", "Mön", "moonlight", "sun", "io"])
      }
      let others = found.map { _ in random.one(of: ["sun", "io", "mars"]) }
      return [
        ("moon io " + found.joined(separator: " "), random.oneIn(2) ? nil : ""),
        (others.joined(separator: "-"), "sun mars"),
      ]
    }
    for store in stores {
      try store.write { writer in
        for (title, body) in texts {
          try writer.execute(
            sql: #"INSERT INTO "Note" (title, body) VALUES ($1, $2)"#, arguments: [title, body])
        }
      }
    }
    for text in ["moon", "moon io", "moo*", #""moon io" m*"#, #""moon moon"* moon"#] {
      let request = RowRequest("Note").filter { $0.matches("moon io") && $0.matches(text) }
      // Only searches whose rows have the average length.
      guard try stores[0].fetchCount(request) == 60 else { continue }
      let values = try stores.map { store in
        try store.fetchValues(request) { [$0.relevance] }.map { row -> Double in
          if case .double(let value)? = row["relevance"] { value } else { .nan }
        }
      }
      for (one, other) in zip(values[0], values[1]) {
        #expect(abs(one - other) < 1e-12 * max(1, abs(one)), "seed \(seed), \(text)")
      }
      let ranked = try stores.map { try $0.fetchIdentities(request.order(by: .relevance)) }
      #expect(ranked[0].count == ranked[1].count)
    }
  }
}
