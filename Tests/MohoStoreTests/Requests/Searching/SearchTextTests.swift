import Foundation
import GRDB
import MohoTesting
import StoreTesting
import Testing

@testable import MohoRows
@testable import MohoSQLite

@Suite struct SearchTextTests {
  @Test(arguments: [
    ("", ""), ("   \n", ""), ("moon", #""moon""#), (" moon  landing ", #""moon" "landing""#),
    (#""moon landing""#, #""moon landing""#), (#"a "b c" d"#, #""a" "b c" "d""#),
    (#"moon "landing now"#, #""moon" "landing now""#), ("“moon landing”", #""moon landing""#),
    ("moo*", #""moo"*"#), ("moo**", #""moo"*"#), (#""moon lan"*"#, #""moon lan"*"#),
    (#""moon lan*""#, #""moon lan*""#), ("e-mail", #""e-mail""#), ("a - b", #""a" "b""#),
    ("* \" \"\" - & 🚀", ""), ("a\0b", #""a" "b""#), (#""a\#0b""#, #""a b""#),
    ("a OR NOT b", #""a" "OR" "NOT" "b""#), ("title:moon", #""title:moon""#),
    (#"a"b"c"#, #""a" "b" "c""#),
  ])
  func aTextIsDividedIntoWordsAndPhrases(_ text: String, _ expected: String) {
    let parsed = SearchText(text)

    #expect(parsed.description == expected)
    #expect(parsed.isEmpty == expected.isEmpty)
    #expect(SearchText(parsed.description) == parsed)
  }

  @Test(arguments: [
    ("moon la", #""moon" "la"*"#), ("moon la ", #""moon" "la"*"#), ("moon -", #""moon"*"#),
    (#""moon la"#, #""moon la"*"#), (#""moon la""#, #""moon la""#), (#""a" b"#, #""a" "b"*"#),
    ("", ""), ("la*", #""la"*"#),
  ])
  func theLastWordCanBeABeginning(_ text: String, _ expected: String) {
    #expect(SearchText(text, lastWord: .prefix).description == expected)
  }

  @Test func aTextHasAtMost64Words() {
    let text = (0..<1_000).map { "w\($0)" }.joined(separator: " ")

    #expect(SearchText(text).terms.count == 64)
    #expect(SearchText(text).terms.last?.text == "w63")
  }

  /// Each scalar is read a few times, and none of the text after it.
  @Test(arguments: ["\"", "\" ", "*", "\"*", " ", "a", "a ", "a\"", "- ", "\"-", "\"-\"*"])
  func dividingTakesLinearTime(_ piece: String) {
    let text = Array(String(repeating: piece, count: 4_000).unicodeScalars)
    let reads = ReadCount()

    _ = SearchText.terms(of: CountedScalars(scalars: text, reads: reads), .prefix)

    #expect(reads.count <= 5 * text.count)
  }

  @Test(.allEngines) func phrasesHaveAtMost1024Words() throws {
    let store = try emptyStore(
      entities: Entity("Note", attributes: [Attribute("a", .string)], searchable: ["a"]))
    func search(_ text: String) throws -> Int {
      try store.fetchCount(RowRequest("Note").filter { $0.matches(text) })
    }
    let phrase = String(repeating: "w ", count: 512)

    #expect(try search("\"\(phrase)\" \"\(phrase)\"") == 0)
    for text in ["\"\(phrase)\" \"\(phrase)\" x", String(repeating: "w-", count: 1_025)] {
      let error = #expect(throws: StoreError.self) { try search(text) }
      #expect(error?.code == .invalidRequest)
      #expect(
        error?.reason.contains(
          "a search text has 1025 words in phrases, expected at most 1024") == true)
    }
  }

  @Test func textsWithOtherBytesDiffer() {
    #expect(SearchText("é") != SearchText("e\u{301}"))
    #expect(Set([SearchText("a  b"), SearchText("\"a\" b")]).count == 1)
  }

  /// No text is an error, and the index agrees with the evaluation in memory.
  @Test(.allEngines) func anyTextIsAValidSearch() throws {
    let store = try emptyStore(
      entities: Entity(
        "Note",
        attributes: [Attribute("a", .string), Attribute("b", .string, isOptional: true)],
        searchable: ["a", "b"]))
    let tokenizer = try #require(store.engine.textTokenizer)
    let limits =
      TestedEngine.current == .sqlite ? RandomValues.Limits() : RandomValues.Limits.postgres
    var values = RandomValues(generator: SeededGenerator(seed: 1), limits: limits)
    let texts = (0..<200).map { _ in (values.text() + " " + values.text(), values.text()) }
    try store.write { writer in
      for (a, b) in texts {
        try writer.execute(
          sql: #"INSERT INTO "Note" (a, b) VALUES ($1, $2)"#,
          arguments: [a, b])
      }
    }
    let pieces = [
      "", "\"", "*", "(", ")", "{", "}", ":", "^", "-", "+", "AND", "NEAR(a b, 2)", "rank", "\\",
      "'", "\u{104B0}", "NOT",
    ]
    var hits = 0
    for seed in 0..<500 {
      let text =
        (0..<(1 + seed % 4)).map { _ in
          values.pick(pieces) + values.text() + values.pick(pieces)
        }
        .joined(separator: values.pick(["", " "]))
      for keys in [[], ["a"], ["b"], ["b", "a"]] {
        let search = SearchText(text)
        let filter = Filter.search(KeyName([]), search, in: keys.map { KeyName([$0]) })

        let found = try store.fetchIdentities(RowRequest("Note").filter { _ in filter })

        let matcher = SearchMatcher(search, tokenizer)
        let expected = texts.indices.filter { index in
          let all = [texts[index].0, texts[index].1]
          return matcher.matches(
            keys.isEmpty ? all : keys.sorted().map { all[$0 == "a" ? 0 : 1] })
        }
        try #require(
          found == expected.map { Int64($0 + 1) }, "\(text.debugDescription) in \(keys)")
        if !found.isEmpty && found.count < texts.count { hits += 1 }
      }
    }
    #expect(hits > 200)
  }
}

private final class ReadCount {
  var count = 0
}

/// Scalars that count how often they are read.
private struct CountedScalars: RandomAccessCollection {
  let scalars: [Unicode.Scalar]
  let reads: ReadCount

  var startIndex: Int { 0 }
  var endIndex: Int { scalars.count }

  subscript(position: Int) -> Unicode.Scalar {
    reads.count += 1
    return scalars[position]
  }
}
