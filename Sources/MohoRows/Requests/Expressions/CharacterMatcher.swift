/// Tests single characters against an expression and caches the results.
final class CharacterMatcher {
  private enum Expression {
    case character(Character)
    case regex(Regex<AnyRegexOutput>)
  }

  private let expression: Expression
  private var answers: [Character: Bool] = [:]

  /// The maximum number of cached results.
  private static let maximumCount = 1_024

  init(_ atom: RegexAtom) throws {
    expression =
      if let character = atom.character {
        .character(character)
      } else {
        .regex(try Regex(atom.options + atom.text))
      }
  }

  func matches(_ character: Character) -> Bool {
    switch expression {
    case .character(let own): return own == character
    case .regex(let regex):
      if let known = answers[character] { return known }
      let answer = ((try? regex.wholeMatch(in: String(character))) ?? nil) != nil
      if answers.count >= Self.maximumCount { answers.removeAll() }
      answers[character] = answer
      return answer
    }
  }
}
