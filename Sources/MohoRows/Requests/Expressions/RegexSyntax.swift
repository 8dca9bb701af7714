/// The syntax tree of a regular expression, limited to what affects whole
/// matches.
///
/// Group names are irrelevant because nothing is captured, and greediness is
/// irrelevant because only whole texts are matched.
indirect enum RegexSyntax {
  /// A character that matches an atom.
  case character(RegexAtom)
  /// A position in the text, such as its start.
  case position(RegexAtom)
  /// A position where an expression matches the following text, or does not
  /// match it.
  case lookahead(RegexSyntax, isNegative: Bool)
  case sequence([RegexSyntax])
  case choice([RegexSyntax])
  /// A repeated expression. There is no upper limit if the maximum is nil.
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

/// An expression for one character or position, with the options in effect.
struct RegexAtom: Hashable {
  /// The options, such as `(?i)`.
  let options: String
  let text: String
  /// The character that the atom matches, if it is a literal and
  /// case-sensitive.
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

/// The error for an expression that `Regex` accepts and ``BoundedRegex`` does
/// not.
struct RegexIssue: Error, CustomStringConvertible {
  let description: String

  /// The expression requires backtracking, which has no time bound.
  static func backtracking(_ part: String) -> RegexIssue {
    RegexIssue(description: "has \(part), which cannot be matched in bounded time")
  }

  static func unsupported(_ part: String) -> RegexIssue {
    RegexIssue(description: "has \(part), which is not supported")
  }

  static let length = RegexIssue(
    description: "is longer than \(RegexParser.maximumLength) bytes")
  static let depth = RegexIssue(
    description: "nests character classes more than \(RegexParser.maximumDepth) levels deep")
  static let size = RegexIssue(
    description: "has more than \(RegexProgram.maximumCount) parts after expanding repetitions")
}
