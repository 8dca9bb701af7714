/// Parses regular expressions.
struct RegexParser {
  static let maximumLength = 10_000
  static let maximumDepth = 64

  private var rest: Substring
  private var options: String

  /// - Throws: A ``RegexIssue`` if the expression is not supported, and the
  ///   error of `Regex` if the text is not a regular expression.
  static func parse(_ text: String, ignoresCase: Bool) throws -> RegexSyntax {
    try checkSize(text)
    // `Regex` validates the syntax and limits the depth of groups.
    _ = try Regex(text)
    var parser = RegexParser(rest: text[...], options: ignoresCase ? "(?i)" : "")
    let syntax = try parser.choice()
    guard parser.rest.isEmpty else { throw RegexIssue.unsupported(quoting(parser.rest)) }
    return syntax
  }

  /// Checks the size before `Regex` parses the text: `Regex` parses nested
  /// character classes recursively, without a limit.
  private static func checkSize(_ text: String) throws {
    guard text.utf8.count <= maximumLength else { throw RegexIssue.length }
    var depth = 0
    var isEscaped = false
    for byte in text.utf8 {
      defer { isEscaped = !isEscaped && byte == UInt8(ascii: "\\") }
      guard !isEscaped else { continue }
      if byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth = max(0, depth - 1) }
      if depth > maximumDepth { throw RegexIssue.depth }
    }
  }

  enum Part {
    /// Unicode scalars. They may combine with adjacent literals into one
    /// character.
    case literal(String)
    case syntax(RegexSyntax)
    /// A comment, or an option change.
    case nothing
  }

  private mutating func choice() throws -> RegexSyntax {
    // Options apply to the following alternatives, up to the end of the group.
    let outer = options
    defer { options = outer }
    var parts = [try sequence()]
    while take("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws -> RegexSyntax {
    var parts: [RegexSyntax] = []
    var run = ""
    func characters(_ text: String, _ options: String) -> [RegexSyntax] {
      text.map { .character(RegexAtom(literal: $0, options)) }
    }
    while let next = rest.first, next != "|", next != ")" {
      let options = options
      let part = try self.part()
      let quantifier = try self.quantifier()
      if case .literal(let text) = part, quantifier == nil {
        run += text
        continue
      }
      if case .literal(let text) = part, (run + text).count != run.count + 1 {
        throw RegexIssue.unsupported("a quantifier inside a character")
      }
      parts += characters(run, options)
      run = ""
      var syntax: RegexSyntax
      switch part {
      case .literal(let text): syntax = .sequence(characters(text, options))
      case .syntax(let other): syntax = other
      case .nothing: continue
      }
      if let (minimum, maximum) = quantifier {
        syntax = .repetition(syntax, minimum: minimum, maximum: maximum)
      }
      parts.append(syntax)
    }
    return .sequence(parts + characters(run, options))
  }

  private mutating func part() throws -> Part {
    let start = rest
    switch rest.removeFirst() {
    case "(": return try group()
    case "[":
      rest = start
      return .syntax(.character(RegexAtom(try takeClass(), options)))
    case ".": return .syntax(.character(RegexAtom(".", options)))
    case "^": return .syntax(.position(RegexAtom("^", options)))
    case "$": return .syntax(.position(RegexAtom("$", options)))
    case "\\": return try RegexEscape.part(&rest, options)
    case let character: return .literal(String(character))
    }
  }

  /// Parses a character class in brackets, including nested classes.
  private mutating func takeClass() throws -> String {
    let start = rest
    var depth = 0
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        if rest.popFirst() == "Q" { try skip(through: "\\E") }
      case "[": depth += 1
      case "]": depth -= 1
      default: break
      }
      if depth == 0 { return String(start[..<rest.startIndex]) }
    }
    throw RegexIssue.unsupported(Self.quoting(start))
  }

  private mutating func group() throws -> Part {
    if take("*") { throw RegexIssue.unsupported("`(*`") }
    guard take("?") else { return .syntax(try contents()) }
    if take(":") { return .syntax(try contents()) }
    if take("=") { return .syntax(.lookahead(try contents(), isNegative: false)) }
    if take("!") { return .syntax(.lookahead(try contents(), isNegative: true)) }
    if take("#") {
      try skip(through: ")")
      return .nothing
    }
    if take(">") { throw RegexIssue.backtracking("an atomic group") }
    if take("P=") { throw RegexIssue.backtracking("a back reference") }
    for (opening, closing) in [("<", ">"), ("P<", ">"), ("'", "'")] where take(opening) {
      try skip(through: closing)
      return .syntax(try contents())
    }
    return try changedOptions()
  }

  /// Parses the contents of a group, including the closing parenthesis.
  private mutating func contents() throws -> RegexSyntax {
    let syntax = try choice()
    guard take(")") else { throw RegexIssue.unsupported("an unterminated group") }
    return syntax
  }

  /// Parses options for a group or for the rest of the enclosing group.
  private mutating func changedOptions() throws -> Part {
    let letters = rest.prefix { $0 != ")" && $0 != ":" }
    guard letters.allSatisfy({ "ismnUJDSWP-".contains($0) }) else {
      throw RegexIssue.unsupported("`(?\(letters)`")
    }
    rest = rest[letters.endIndex...]
    let outer = options
    options += "(?\(letters))"
    guard take(":") else {
      guard take(")") else { throw RegexIssue.unsupported("unterminated options") }
      return .nothing
    }
    defer { options = outer }
    return .syntax(try contents())
  }

  /// Parses a quantifier. Returns nil if the next part is not a quantifier.
  private mutating func quantifier() throws -> (minimum: Int, maximum: Int?)? {
    let count: (Int, Int?)
    if take("*") {
      count = (0, nil)
    } else if take("+") {
      count = (1, nil)
    } else if take("?") {
      count = (0, 1)
    } else if let range = try takeRange() {
      count = range
    } else {
      return nil
    }
    if take("+") { throw RegexIssue.backtracking("a possessive quantifier") }
    _ = take("?")
    return count
  }

  /// Parses a range in braces. Returns nil if the braces contain anything else:
  /// they are literal text then.
  private mutating func takeRange() throws -> (Int, Int?)? {
    guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return nil }
    let bounds = rest[rest.index(after: rest.startIndex)..<end]
      .split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " } }
    guard bounds.contains(where: { !$0.isEmpty }),
      bounds.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } })
    else { return nil }
    rest = rest[rest.index(after: end)...]
    let numbers = try bounds.map { bound -> Int? in
      guard !bound.isEmpty else { return nil }
      guard let number = Int(bound), number <= RegexProgram.maximumCount else {
        throw RegexIssue.size
      }
      return number
    }
    return (numbers[0] ?? 0, numbers.count == 1 ? numbers[0] : numbers[1])
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }

  private mutating func skip(through text: String) throws {
    while !rest.isEmpty {
      if take(text) { return }
      rest.removeFirst()
    }
    throw RegexIssue.unsupported("an unterminated part, missing `\(text)`")
  }

  private static func quoting(_ rest: Substring) -> String { "`\(rest.prefix(20))`" }
}
