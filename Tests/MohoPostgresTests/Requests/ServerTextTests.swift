import Campaigns
import Foundation
import MohoMapping
import MohoTesting
import PostgresTesting
import StoreTesting
import Synchronization
import Testing

@testable import MohoPostgres
@testable import MohoRows

/// Texts that the server matches and sorts itself, and those that the process reads.
@Suite(.requiresPostgres)
struct ServerTextTests {
  struct Name: MappedModel, Equatable {
    var id: Int
    var text: String?

    static let mapping = Mapping("Name", Name.init, .key("id", \.id, .unique), .key("text", \.text))
  }

  private static let options: [TextMatch.Options] = [
    [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
  ]

  private let statements = Statements()
  private let store: ModelStore

  init() throws {
    var configuration = PostgresConfiguration()
    configuration.onStatement = statements.append
    store = try ModelStore(
      postgres: PostgresServer.shared().emptySchema(), models: Name.self,
      configuration: configuration)
  }

  private func save(_ texts: [String?]) throws {
    try store.write { writer in
      try writer.save(texts.enumerated().map { Name(id: $0, text: $1) })
    }
  }

  private func matches(_ match: TextMatch) throws -> [Int] {
    var request = RowRequest("Name").order(by: "id")
    request.filter = .text(.key(KeyName(["text"])), match)
    return try store.fetchIdentities(request).map { Int($0) }
  }

  /// The texts that the process reads for a request.
  private func readCount(_ request: some StoreRequest) throws -> Int {
    let lines = try store.explain(request).plan
    let counts = lines.compactMap { line in
      line.firstMatch(of: /^The process computes .* for (\d+) rows/).flatMap { Int($0.1) }
    }
    return counts.reduce(0, +)
  }

  @Test func `every character is matched as in memory`() throws {
    let scalars = [0x1...0x33FF, 0xA640...0xABFF, 0xF900...0xFFEF, 0x1F000...0x1FAFF]
      .joined().compactMap { (value: Int) in Unicode.Scalar(value) }
    let texts = scalars.map { String(Character($0)) }
    try save(texts)
    let patterns = ["e", "É", "ß", "s", "σ", "ς", "я", "i", "İ", "k", "ª", "f", "ǆ", "ы", "Ω", "-"]
    for options in Self.options {
      for pattern in patterns {
        for kind in [TextMatch.Kind.contains, .equals] {
          let match = TextMatch(kind, pattern, options)

          let found = try matches(match)

          #expect(found == texts.indices.filter { match.matches(texts[$0]) }, "\(match)")
        }
      }
    }
  }

  @Test func `random texts are matched as in memory`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "é", "É", "e", "E", "e\u{301}", "ø", "Ø", "ß", "ẞ", "ss", "ﬁ", "fi", "σ", "ς", "Σ", "я", "Я",
      "й",
      "и\u{306}", "日", "本", "か", "が", "한", "\u{1112}\u{1161}", "👩", "👩\u{200D}💻", "👍🏽", "🇸🇪", "\r",
      "\r\n", "\n", " ", ".", "(", "\\", "[", "*", "İ", "i", "I", "ı", "\u{338}", "≠", "∦", "Å",
      "\u{212B}",
    ]
    func text(_ maximum: Int) -> String {
      (0..<generator.below(maximum)).map { _ in pieces[generator.below(pieces.count)] }.joined()
    }
    let texts = (0..<500).map { _ in text(7) }
    try save(texts)
    var hits = 0
    for number in 0..<Campaign.count(short: 200, full: 3_000) {
      let kinds: [TextMatch.Kind] = [.contains, .hasPrefix, .hasSuffix, .equals, .like]
      let kind = kinds[number % kinds.count]
      var pattern = text(3)
      if kind == .like { pattern = (generator.oneIn(2) ? "*" : "?") + pattern + "*" }
      let match = TextMatch(kind, pattern, Self.options[generator.below(4)])

      let found = try matches(match)

      #expect(found == texts.indices.filter { match.matches(texts[$0]) }, "\(match), seed \(seed)")
      hits += found.count
    }
    #expect(hits > 1_000, "\(hits)")
  }

  @Test(arguments: [60, 100, 101, 5_000])
  func `a long pattern is matched`(count: Int) throws {
    let text = String(repeating: "é", count: count)
    let texts = [
      "e" + text.uppercased() + "e", String(text.dropLast()), text + "\u{301}", "x\(text)",
    ]
    try save(texts)

    for options in Self.options {
      let match = TextMatch(.like, "*\(text)*", options)

      let found = try matches(match)

      #expect(found == texts.indices.filter { match.matches(texts[$0]) }, "\(options)")
    }
  }

  @Test func `the process reads only texts with other characters`() throws {
    try save(["Café", "Über", "日本", "Ελλάδα", "🎧", "cafe", nil, "Cafe\u{301}", "👩\u{200D}💻 cafe"])
    let request = ModelRequest<Name>().filter {
      $0.text.contains("cafe", [.caseInsensitive, .diacriticInsensitive])
    }

    #expect(try store.fetchCount(request) == 4)
    #expect(try readCount(request) == 2)
    #expect(
      try store.explain(request).plan.first
        == "The process computes the matches of `Name.text` for 2 rows that the server selects.")
  }

  @Test func `the conditions of aggregates match texts with other characters`() throws {
    try save(["Café", "日本", "Cafe\u{301}", nil])

    let row = try store.fetchAggregates(ModelRequest<Name>()) {
      [.count.filter($0.text.contains("cafe", [.caseInsensitive, .diacriticInsensitive]))]
    }

    #expect(row.values == [.int64(2)])
  }

  @Test func `index letters of alphabets are those in memory`() throws {
    let scalars = [0x1...0x52F, 0x1E00...0x1EFF, 0x3041...0x3050, 0x4E00...0x4E10].joined()
      .compactMap { (value: Int) in Unicode.Scalar(value) }
    let texts = [""] + scalars.map { String(Character($0)) + ($0.value % 2 == 0 ? "x" : "\u{301}") }
    try save(texts)
    for locale in [nil, "en", "sv", "de", "cs", "el"] {
      let values = try store.fetchValues(ModelRequest<Name>().order(by: \.id)) { keys in
        [
          locale.map { keys.text.indexLetter(in: Locale(identifier: $0)) } ?? keys.text.indexLetter
        ]
      }
      #expect(
        values.map { $0.values[0] } == texts.map { .string($0.indexLetter(in: locale)) },
        "\(locale ?? "no locale")")
    }
  }

  @Test func `the process finds index letters only outside of the alphabets`() throws {
    // The last letters of blocks of Latin and Cyrillic letters, and two ideographs.
    try save(["a", "\u{24F}x", "\u{4FF}x", "\u{1EFF}x", "日", "本"])

    #expect(try readCount(ModelRequest<Name>().order { $0.text.indexLetter }) == 2)
  }

  @Test(arguments: ["en", "sv_SE", "de@collation=phonebook", "cs", "es", "hu", "da", "el", "ru"])
  func `the server sorts the texts of alphabets as the process does`(locale: String) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let letters = Array("aAbBcChHlLsSzZdDjJäÄåÅöÖéÉčČñÑøØæÆßþ0123456789 -_.,'αΑάωжЖяЯ…€")
    let texts = (0..<400).map { _ in
      String((0..<generator.below(6)).map { _ in letters[generator.below(letters.count)] })
    }
    try save(texts + [nil])
    for comparesNumbers in [false, true] {
      let collation = TextCollation(localeIdentifier: locale, comparesNumbers: comparesNumbers)
      let collator = TextCollator.collator(for: collation)
      guard collator.hasSortKeys else { continue }
      func key(_ text: String) -> Data {
        if case .data(let key) = collator.sortContent(of: text) { key } else { Data() }
      }
      let expected = texts.indices.map { (key(texts[$0]), $0) }.sorted {
        $0.0 == $1.0 ? $0.1 < $1.1 : $0.0.lexicographicallyPrecedes($1.0)
      }
      let request = ModelRequest<Name>().order(by: \.text, collation: collation).order(by: \.id)
      statements.removeAll()

      let rows = try store.fetch(request)

      #expect(rows.map(\.id) == [400] + expected.map(\.1), "seed \(seed)")
      #expect(try readCount(request) == 0)
      #expect(statements.all.count { $0.contains("COLLATE") && $0.contains("Moho") } > 0)
    }
  }

  @Test func `the process sorts texts with other characters`() throws {
    let collation = TextCollation.localized(in: Locale(identifier: "sv"))
    let request = ModelRequest<Name>().order(by: \.text, collation: collation)
    try save(["zoo", "ärt", "日本", "ång"])

    let mixed = try store.fetch(request).compactMap(\.text)
    let line = try store.explain(request).plan.first
    try store.write { try $0.save(Name(id: 2, text: "ost")) }
    let alphabetic = try store.fetch(request).compactMap(\.text)

    #expect(mixed == ["zoo", "ång", "ärt", "日本"])
    #expect(
      line == "The process computes the order localized(sv) of `Name.text` for 4 rows that the"
        + " server selects.")
    #expect(alphabetic == ["ost", "zoo", "ång", "ärt"])
    #expect(try readCount(request) == 0)
  }

  @Test func `without the right to create a collation, the process sorts`() throws {
    let server = try PostgresServer.shared()
    let url = try server.emptySchema()
    let name = try PostgresConnection(url).schemaName
    let user = "c\(UUID().uuidString.prefix(8).lowercased())"
    try server.execute("CREATE ROLE \(user) LOGIN; GRANT USAGE ON SCHEMA \(name) TO \(user)")
    let owner = try ModelStore(postgres: url, models: Name.self)
    try owner.write { try $0.save([Name(id: 1, text: "ö"), Name(id: 2, text: "z")]) }
    try server.execute("GRANT SELECT ON ALL TABLES IN SCHEMA \(name) TO \(user)")
    let limited = try ModelStore(postgres: server.url(schema: name, user: user), models: Name.self)
    let collation = TextCollation.localized(in: Locale(identifier: "sv"))
    let request = ModelRequest<Name>().order(by: \.text, collation: collation)

    #expect(try limited.fetch(request).map(\.id) == [2, 1])
    #expect(try limited.explain(request).plan.first?.hasPrefix("The process") == true)
    #expect(try owner.fetch(request).map(\.id) == [2, 1])
    #expect(try owner.explain(request).plan.first?.hasPrefix("The process") == false)
  }
}

/// The statements of a store.
private final class Statements: Sendable {
  private let statements = Lock<[String]>([])

  var all: [String] { statements.withLock { $0 } }
  func append(_ statement: String) { statements.withLock { $0.append(statement) } }
  func removeAll() { statements.withLock { $0.removeAll() } }
}
