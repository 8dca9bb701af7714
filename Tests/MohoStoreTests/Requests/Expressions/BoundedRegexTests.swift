import Fixtures
import Foundation
import MohoMapping
import MohoTesting
import StoreTesting
import Testing

@testable import MohoRows

/// Tests that regular expressions match the same texts as Swift's `Regex`, in
/// bounded time.
@Suite(.allEngines) struct BoundedRegexTests {
  private static let texts = [
    "", "a", "b", "ab", "aab", "abab", "A", "É", "é", "e\u{301}", "a\n", "\n", "\r\n", "a b", "1a_",
    "foo bar", "12-3", "(a)", "a.b", "ß", "aaaa", "b a\nb", "\u{301}",
  ]

  private func agree(
    _ expression: String, _ options: TextMatch.Options = [], _ comment: Comment? = nil
  ) throws {
    let regex = try Regex(expression)
    let expected = options.contains(.caseInsensitive) ? regex.ignoresCase() : regex
    let match = TextMatch(.matches, expression, options)
    for text in Self.texts {
      let isMatch = ((try? expected.wholeMatch(in: text)) ?? nil) != nil
      #expect(
        match.matches(text) == isMatch, "\(expression.debugDescription) on \(text.debugDescription)"
      )
    }
  }

  @Test(arguments: [
    "", "a", "a*", "a+b?", "(a|b)*", "(?:ab)+", "a{2}", "a{2,}", "a{,2}", "a{ 1 , 2 }", "a{",
    "a{x}",
    "(a*)*", "(a|)+", "(?:)*", "(?<name>a)b", "(?P<name>a)b", "(?'name'a)b", ".", ".*", "(?s).*",
    "^a$", "^(?m)b a$\\n^b$", "a$\\n", "\\Aab\\z", "a\\Z\\n", "\\bfoo\\b bar", "f\\Boo.*", "\\w+",
    "\\d+-\\d",
    "\\W", "[a-c]+", "[^a]", "[[:alpha:]]+", "[a-c&&[b]]+", "[a-c--b]+", "\\(a\\)", "a\\.b",
    "\\Qa.b\\E",
    "e\\u{301}", "\\u{65}\\u{301}", "\\u{65 301}", "\\x61", "\\u0061", "é", "\\r\\n", "\r\n", "\\R",
    "\\X",
    "(?i)a(?-i)b", "(?i:a)b|c", "a(?i)b|A", "(?i)é", "(?i)\\Q(A)\\E", "(?=a).*", "(?!a).*",
    "(?=.*b)(?=.*a)[ab]+",
    "(?:(?!b).)*", "a(?!b).*", "(?=(?!b)a).*", ".*?b", "a*?", "(?#comment)a", "\\p{L}+", "\\P{L}",
    "\\s",
    "a(?=b)b", "(?D)\\w+", "(?:a|b)??", "\\N{LATIN SMALL LETTER A}", "(?n)(a)", "^", "$",
    "a|b|c|ab",
  ])
  func theyMatchWhatSwiftMatches(expression: String) throws {
    try agree(expression)
    try agree(expression, .caseInsensitive)
  }

  @Test(arguments: UInt64(0)..<100) func randomOnesMatchWhatSwiftMatches(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try agree(Self.expression(&random, depth: 3), "seed \(seed)")
  }

  private func agree(_ expression: String, _ comment: Comment) throws {
    try agree(expression, [], comment)
  }

  private static func expression(_ random: inout SeededGenerator, depth: Int) -> String {
    func part(_ random: inout SeededGenerator) -> String {
      let atoms = ["a", "b", ".", "[ab]", "[^a]", "\\w", "\\s", "é", "1"]
      guard depth > 0, random.below(3) == 0 else {
        return atoms[random.below(atoms.count)]
      }
      let inner = expression(&random, depth: depth - 1)
      let groups = ["(\(inner))", "(?:\(inner))", "(?i:\(inner))"]
      return groups[random.below(groups.count)]
    }
    var alternatives: [String] = []
    for _ in 0...random.below(2) {
      var text =
        random.below(6) == 0 ? ["^", "\\b", "(?=a)", "(?!b)"][random.below(4)] : ""
      for _ in 0...random.below(3) {
        let quantifiers = ["", "", "", "*", "+", "?", "{1,2}", "*?"]
        text += part(&random) + quantifiers[random.below(quantifiers.count)]
      }
      if random.below(8) == 0 { text += "$" }
      alternatives.append(text)
    }
    return alternatives.joined(separator: "|")
  }

  @Test(arguments: [
    "(a+)+$", "(a|aa)+$", "(a|a?)+b", "(.*)*x", "(?:a*a*a*a*a*a*)*b", "(?=(a+)+b).*",
    "(?!(a+)+$).*b",
    "(\\w+\\s?)*!",
  ])
  func expressionsThatGoBackTakeBoundedTime(expression: String) throws {
    let store = try emptyStore(Episode.self)
    let text = String(repeating: "a", count: 5_000) + "!"
    try store.write { try $0.save(Episode.number(1, title: text)) }
    let request = ModelRequest<Episode>().filter { $0.title.matches(expression) }

    let count = try store.fetchCount(request)

    let inMemory = TextMatch(.matches, expression).matches(text)
    #expect(count == (inMemory ? 1 : 0))
    #expect(inMemory == (expression == "(\\w+\\s?)*!"))
  }

  @Test(arguments: [
    ("(a)\\1", "has a back reference, which cannot be matched in bounded time"),
    ("(?<x>a)\\k<x>", "has a back reference, which cannot be matched in bounded time"),
    ("(?>a+)b", "has an atomic group, which cannot be matched in bounded time"),
    ("a++b", "has a possessive quantifier, which cannot be matched in bounded time"),
    ("(?x)a b", "has `(?x`, which is not supported"),
    ("(*pla:a)b", "has `(*`, which is not supported"),
    ("(?:a{1000}){1000}", "has more than 4096 parts after expanding repetitions"),
    ("(?:(?:){4000}){4000}", "has more than 4096 parts after expanding repetitions"),
    (String(repeating: "a", count: 10_001), "is longer than 10000 bytes"),
    (
      String(repeating: "[", count: 5_000), "nests character classes more than 64 levels deep"
    ),
  ])
  func whatCannotBeBoundedIsRefused(expression: String, message: String) throws {
    let store = try ModelStore.shows()
    let request = ModelRequest<Shows.Show>().filter { $0.title.matches(expression) }

    let error = #expect(throws: StoreError.self) { try store.fetchCount(request) }
    let other = #expect(throws: StoreError.self) { try RequestEvaluator(request, in: store.schema) }

    #expect(error?.code == .invalidRequest)
    #expect(error?.reason.hasSuffix("for `title` \(message)") == true, "\(error?.reason ?? "")")
    #expect(other?.reason == error?.reason)
    #expect(!TextMatch(.matches, expression).matches("aa"))
  }
}
