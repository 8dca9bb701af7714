import Foundation
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres
@testable import MohoSQLite

/// Compares the words of texts on all engines, for every character.
@Suite(.requiresPostgres)
struct WordTokenTests {
  /// Texts that contain each character by itself, and between letters.
  private static let texts: [String] = stride(from: 1, through: 0x10FFFF, by: 4_096).map { start in
    var text = String.UnicodeScalarView()
    for character in start..<min(start + 4_096, 0x110000) {
      guard let scalar = Unicode.Scalar(UInt32(character)) else { continue }
      text.append(contentsOf: ["q", scalar, "z", "-", scalar, " "])
    }
    return String(text)
  }

  private func quoted(_ text: String) -> String { MohoPostgres.quotedText(text) }

  private func words(_ tokenizer: any TextTokenizer, _ text: String) -> String {
    let words = tokenizer.words(of: text, for: .document)
    return String(decoding: Array(words.joined(separator: " ".utf8)), as: UTF8.self)
  }

  @Test func everyCharacterIsInTheSameWordsOnAllEngines() throws {
    let tokenizer = try #require(SearchTokenizer.shared)
    let url = try PostgresServer.shared().emptySchema()
    let note = Entity("Note", attributes: [Attribute("text", .string)], searchable: ["text"])
    _ = try ModelStore(postgres: url, entities: [note])
    let connection = try AdministratorConnection(url)
    for (index, text) in Self.texts.enumerated() {
      let expected = words(tokenizer, text)

      let inMemory = words(WordTokenizer.shared, text) == expected
      #expect(inMemory, "text \(index)")
      let sql = "SELECT moho_words(\(quoted(text))) = ' ' || \(quoted(expected)) || ' '"
      #expect(try connection.execute(sql) == [["t"]], "text \(index)")
    }
  }

  @Test(arguments: [
    ("", ""), (" \u{301}a\u{301}\u{301}b \u{301}", "ab"), ("\0a\0", "a"),
    (String(repeating: "x", count: 32_769), String(repeating: "x", count: 32_768)),
    (String(repeating: "x", count: 32_767) + "äbc", String(repeating: "x", count: 32_767) + "a"),
    ("xx" + String(repeating: "漢", count: 20_000), "xx" + String(repeating: "漢", count: 10_922)),
  ])
  func longWordsAndAccentsAreShortened(_ text: String, _ expected: String) throws {
    let found = words(WordTokenizer.shared, text)

    let isExpected = found == expected
    #expect(isExpected)
    if text.contains("\0") { return }
    let url = try PostgresServer.shared().emptySchema()
    let note = Entity("Note", attributes: [Attribute("text", .string)], searchable: ["text"])
    _ = try ModelStore(postgres: url, entities: [note])
    let sql = "SELECT btrim(moho_words(\(quoted(text)))) = \(quoted(expected))"
    #expect(try AdministratorConnection(url).execute(sql) == [["t"]])
  }
}
