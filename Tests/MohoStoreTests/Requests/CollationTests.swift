import Foundation
import MohoMapping
import MohoTesting
import StoreTesting
import Testing

@testable import MohoRows

@Suite(.allEngines) struct CollationTests {
  struct Name: MappedModel, Equatable {
    var id: Int
    var text: String?
    static let mapping = Mapping(
      "Name", Name.init, .key("id", \.id, .unique), .key("text", \.text, .indexed))
  }

  /// Texts in the order of a locale, with and without the values of numbers.
  static let orders: [(TextCollation, [String])] = [
    (
      .localizedStandard(in: Locale(identifier: "en")),
      ["", "Episode 2", "Episode 10", "episode 11"]
    ),
    (.localized(in: Locale(identifier: "en")), ["Episode 10", "episode 11", "Episode 2"]),
    (
      .localized(in: Locale(identifier: "en")),
      ["Ash", "ash cloud", "basalt", "Basalt", "Éclogite", "gneiss", "Zircon"]
    ),
    (.localized(in: Locale(identifier: "en")), ["ång", "ärt", "Ört", "zoo"]),
    (.localized(in: Locale(identifier: "sv")), ["zoo", "ång", "ärt", "Ört"]),
    (.localized(in: Locale(identifier: "cs")), ["cukr", "had", "chata", "jih"]),
    (.localized(in: Locale(identifier: "en")), ["chata", "cukr", "had", "jih"]),
    (.localized(in: Locale(identifier: "no such locale")), ["a", "B", "c"]),
  ]

  static func names(_ texts: [String?]) throws -> ModelStore {
    let store = try emptyStore(Name.self)
    let names = texts.enumerated().map { Name(id: $0.offset, text: $0.element) }
    try store.write { try $0.save(names) }
    return store
  }

  @Test(arguments: orders.indices)
  func textsAreSortedInTheOrderOfTheLocale(index: Int) throws {
    let (collation, texts) = Self.orders[index]
    let store = try Self.names(texts.reversed())
    let request = ModelRequest<Name>()
    #expect(try store.fetch(request.order(by: \.text, collation: collation)).map(\.text) == texts)
    let reversed = try store.fetch(request.order(by: \.text, .descending, collation: collation))
    #expect(reversed.map(\.text) == texts.reversed())
    let rows = RowRequest("Name").order(by: "text", collation: collation)
    #expect(
      try store.fetchValues(rows) { [$0["text"]] }.map { $0.values[0] } == texts.map { .string($0) }
    )
  }

  @Test func nilIsFirstUnlessTheOrderingSaysOtherwise() throws {
    let store = try Self.names(["b", nil, "ä"])
    let request = ModelRequest<Name>()
    let first = request.order(by: \.text, collation: .localized(in: Locale(identifier: "en")))
    let last = request.order(
      by: \.text, nils: .last, collation: .localized(in: Locale(identifier: "en")))
    #expect(try store.fetch(first).map(\.text) == [nil, "ä", "b"])
    #expect(try store.fetch(last).map(\.text) == ["ä", "b", nil])
  }

  @Test func textsThatTheOptionsConsiderEqualAreSortedByTheNextOrdering() throws {
    let store = try Self.names(["Ä", "a", "A", "ä", "B"])
    let request = ModelRequest<Name>()
      .order(
        by: \.text, options: [.caseInsensitive, .diacriticInsensitive],
        collation: .localized(in: Locale(identifier: "sv"))
      )
      .order(by: \.id)
    #expect(try store.fetch(request).map(\.id) == [0, 1, 2, 3, 4])
  }

  /// Pieces of texts: several scripts, combining marks, digits, ignorable
  /// characters, and pairs that a locale considers equal.
  private static let pieces = [
    "a", "A", "á", "a\u{301}", "b", "z", "Z", "1", "01", "10", "2", "٢", "२", "é", "e", "E", "-",
    "_", "!", " ", "ß", "ss", "SS", "æ", "ae", "å", "aa", "ø", "o", "ö", "я", "Ж", "й", "日", "本",
    "🙂", "👩‍👩‍👧", "\u{301}", "ch", "c", "h", "I", "ı", "i", "İ", "\0", "\u{ad}", "Ω", "ω", "한",
  ]

  static func text(_ generator: inout SeededGenerator) -> String {
    (0..<generator.below(5)).map { _ in pieces[generator.below(pieces.count)] }.joined()
  }

  private static func order(_ one: FieldContent, _ other: FieldContent) -> Int {
    if case (.string(let one), .string(let other)) = (one, other) {
      return TextCollator.order(one, other)
    }
    return one.order(other) ?? .max
  }

  @Test(
    arguments: ["en", "sv", "cs", "tr", "da", "ja", "zh", "de@collation=phonebook"], [true, false])
  func theOrderIsTotal(locale: String, comparesNumbers: Bool) {
    let collation = TextCollation(localeIdentifier: locale, comparesNumbers: comparesNumbers)
    var generator = SeededGenerator(seed: 1)
    for usesSortKeys in [true, false] {
      let collator = TextCollator(collation, usesSortKeys: usesSortKeys)
      for _ in 0..<600 {
        let texts = (0..<3).map { _ in Self.text(&generator) }
        let keys = texts.map { collator.sortContent(of: $0) }
        let (ab, bc, ac) = (
          Self.order(keys[0], keys[1]), Self.order(keys[1], keys[2]), Self.order(keys[0], keys[2])
        )
        #expect(Self.order(keys[1], keys[0]) == -ab, "\(texts)")
        #expect(ab.signum() != bc.signum() || ac.signum() == ab.signum(), "\(texts)")
        let isSame = texts[0].utf8.elementsEqual(texts[1].utf8)
        if usesSortKeys || !texts.joined().contains("\0") {
          #expect((ab == 0) == isSame, "\(texts)")
        }
      }
    }
  }

  @Test(arguments: ["en", "sv", "cs", "tr", "da", "ja", "zh"], [true, false])
  func sortKeysHaveTheOrderOfFoundation(locale: String, comparesNumbers: Bool) throws {
    let collation = TextCollation(localeIdentifier: locale, comparesNumbers: comparesNumbers)
    let collators = [true, false].map { TextCollator(collation, usesSortKeys: $0) }
    #if os(Linux)
      #expect(collators[0].hasSortKeys)
    #endif
    var generator = SeededGenerator(seed: 2)
    // Foundation compares ignorable characters with the empty text, and leading
    // zeros of other scripts, in its own way.
    let excluded: Set<Character> = ["\0", "\u{ad}", "٢", "२", "0"]
    for _ in 0..<1_500 {
      let (one, other) = (Self.text(&generator), Self.text(&generator))
      if (one + other).contains(where: excluded.contains) { continue }
      let orders = collators.map { collator in
        Self.order(collator.sortContent(of: one), collator.sortContent(of: other)).signum()
      }
      #expect(orders[0] == orders[1], "\(one.debugDescription), \(other.debugDescription)")
    }
  }

  @Test(arguments: ["no such locale", "", "xx_YY"], [true, false])
  func anUnknownLocaleHasACommonOrder(identifier: String, usesSortKeys: Bool) {
    let collator = TextCollator(
      TextCollation(localeIdentifier: identifier, comparesNumbers: false),
      usesSortKeys: usesSortKeys)
    let texts = ["a", "B", "c", "Éclair", "f"]
    for (one, other) in zip(texts, texts.dropFirst()) {
      #expect(Self.order(collator.sortContent(of: one), collator.sortContent(of: other)) < 0)
    }
  }

  @Test func anIndexCannotSupportACollation() throws {
    let store = try Self.names(["a"])
    let request = ModelRequest<Name>().order(by: \.text, collation: .localized)
    #expect(try store.explain(request).suggestedIndex.isEmpty)
    #expect(request.orderings[0].key == nil)
  }

  /// Texts and their index letters in English, German, Swedish and Turkish.
  static let letters: [(text: String?, letters: [String?])] = [
    (nil, [nil, nil, nil, nil]), ("", ["#", "#", "#", "#"]), ("1984", ["#", "#", "#", "#"]),
    ("日本", ["#", "#", "#", "#"]), ("apple", ["A", "A", "A", "A"]), ("Ärt", ["A", "A", "Ä", "A"]),
    ("öga", ["O", "O", "Ö", "Ö"]), ("élan", ["E", "E", "E", "E"]), ("ilk", ["I", "I", "I", "İ"]),
    ("ışık", ["I", "I", "I", "I"]), ("жук", ["Ж", "Ж", "Ж", "Ж"]), ("ßen", ["S", "S", "S", "S"]),
  ]

  @Test func aLetterOfAnAlphabetHasItsOwnEntry() throws {
    let store = try Self.names(Self.letters.map(\.text))
    let locales = ["en", "de", "sv", "tr"].map { Locale(identifier: $0) }
    let rows = try store.fetchValues(ModelRequest<Name>().order(by: \.id)) { name in
      locales.map { name.text.indexLetter(in: $0) }
    }
    for (row, expected) in zip(rows, Self.letters) {
      #expect(
        row.values == expected.letters.map { $0.map { .string($0) } ?? .null },
        "\(expected.text ?? "nil")")
    }
  }

  @Test func lettersAreInTheOrderOfTheLocale() throws {
    let store = try Self.names(["öga", "ål", "zon", "1984", "ärt", "apa", "Åsa", "жук"])
    let locale = Locale(identifier: "sv")
    let request = ModelRequest<Name>()
      .order(collation: .localized(in: locale)) { $0.text.indexLetter(in: locale) }
      .order(by: \.text, collation: .localizedStandard(in: locale))
    let texts = try store.fetch(request).compactMap(\.text)
    #expect(texts == ["1984", "apa", "zon", "ål", "Åsa", "ärt", "öga", "жук"])
  }

  @Test func aLocaleIsQuoted() throws {
    let store = try Self.names(["b", "a"])
    let collation = TextCollation.localized(in: Locale(identifier: "x'y\"\0z"))
    let request = ModelRequest<Name>().order(by: \.text, collation: collation)
    #expect(try store.fetch(request).map(\.text) == ["a", "b"])
  }
}
