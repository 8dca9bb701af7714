/// A regular expression taken apart, as far as it says which texts match.
///
/// Only whole texts are matched and nothing is captured, so neither the names of
/// groups nor the eagerness of quantifiers count.
indirect enum RegexSyntax {
  /// A character that an expression for single characters matches.
  case character(RegexAtom)
  /// A position in the text, such as its beginning.
  case position(RegexAtom)
  /// A position where an expression matches what follows, or does not.
  case lookahead(RegexSyntax, isNegative: Bool)
  case sequence([RegexSyntax])
  case choice([RegexSyntax])
  /// An expression so many times; without a limit where the maximum is nil.
  case repetition(RegexSyntax, minimum: Int, maximum: Int?)

  /// The expression that matches the reversed texts.
  var reversed: RegexSyntax {
    switch self {
    case .character, .position, .lookahead: self
    case .sequence(let parts): .sequence(parts.reversed().map(\.reversed))
    case .choice(let parts): .choice(parts.map(\.reversed))
    case .repetition(let part, let minimum, let maximum):
      .repetition(part.reversed, minimum: minimum, maximum: maximum)
    }
  }
}

/// The expression for one character or position, with the options that hold
/// there.
struct RegexAtom: Hashable {
  /// The options, such as `(?i)`.
  let options: String
  let text: String
  /// The character that the expression stands for, where it is a plain one whose
  /// letter case counts.
  let character: Character?

  init(_ text: String, _ options: String) {
    self.options = options
    self.text = text
    character = nil
  }

  init(literal: Character, _ options: String) {
    self.options = options
    let isPlain = literal.isLetter || literal.isNumber || !literal.isASCII
    text = isPlain || literal.isWhitespace ? String(literal) : "\\\(literal)"
    character = options.contains("i") ? nil : literal
  }
}

/// Why an expression that `Regex` takes is refused.
struct RegexLimit: Error, CustomStringConvertible {
  let description: String

  /// The text takes steps back, which have no bound.
  static func backtracking(_ part: String) -> RegexLimit {
    RegexLimit(description: "has \(part), which cannot be matched in bounded time")
  }

  static func unsupported(_ part: String) -> RegexLimit {
    RegexLimit(description: "has \(part), which is not supported")
  }

  static let length = RegexLimit(
    description: "is longer than \(RegexParser.maximumLength) characters")
  static let depth = RegexLimit(
    description: "has classes more than \(RegexParser.maximumDepth) levels deep in each other")
  static let size = RegexLimit(
    description: "has more than \(RegexProgram.maximumCount) parts, with repetitions written out")
}
