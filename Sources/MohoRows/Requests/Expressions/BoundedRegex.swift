/// A regular expression that matches in time proportional to the length of the
/// text. It has the syntax of Swift's `Regex`.
///
/// `Regex` backtracks: `(a+)+$` takes time exponential in the length of the
/// text and cannot be interrupted. This type simulates all alternatives in
/// parallel with Thompson's algorithm
/// (<https://swtch.com/~rsc/regexp/regexp1.html>). It uses `Regex` for single
/// characters and positions, so that both match the same texts.
///
/// Not `Sendable`, because `Regex` is not.
final class BoundedRegex {
  private let program: RegexProgram
  private let lookaheads: [RegexProgram]
  private let characters: [CharacterMatcher]
  private let positions: [Regex<AnyRegexOutput>]

  /// - Throws: A ``RegexIssue`` if the expression cannot be matched in bounded
  ///   time, and the error of `Regex` if the text is not a regular expression.
  init(_ text: String, ignoresCase: Bool) throws {
    let syntax = try RegexParser.parse(text, ignoresCase: ignoresCase)
    var compiler = RegexCompiler()
    program = try compiler.program(syntax)
    lookaheads = compiler.lookaheads
    characters = try compiler.characters.map { try CharacterMatcher($0) }
    positions = try compiler.positions.map { try Regex($0.options + $0.text) }
  }

  /// Returns a Boolean value indicating whether the expression matches the
  /// whole text.
  ///
  /// - Complexity: O(*n* · *m*) for *n* characters and an expression with *m*
  ///   parts.
  func matches(_ text: String) -> Bool {
    let characters = Array(text)
    var conditions = Conditions()
    for position in positions {
      conditions.positions.append(Self.positions(of: position, in: text, characters.count))
    }
    for lookahead in lookaheads {
      conditions.lookaheads.append(starts(of: lookahead, in: characters, conditions))
    }
    var states = RegexStates(program)
    states.enter(0, at: 0, conditions)
    for (position, character) in characters.enumerated() {
      if states.isEmpty { return false }
      states.advance(to: position + 1, conditions) { self.characters[$0].matches(character) }
    }
    return states.isAccepting
  }

  /// The positions where a match of the lookahead starts. The program is
  /// reversed and runs from right to left, so that one pass finds all of them.
  private func starts(
    of program: RegexProgram, in characters: [Character], _ conditions: Conditions
  ) -> [Bool] {
    var starts = Array(repeating: false, count: characters.count + 1)
    var states = RegexStates(program)
    for position in characters.indices.reversed() {
      states.enter(0, at: position + 1, conditions)
      starts[position + 1] = states.isAccepting
      states.advance(to: position, conditions) {
        self.characters[$0].matches(characters[position])
      }
    }
    states.enter(0, at: 0, conditions)
    starts[0] = states.isAccepting
    return starts
  }

  private static func positions(
    of regex: Regex<AnyRegexOutput>, in text: String, _ count: Int
  ) -> [Bool] {
    let found = Set(text.matches(of: regex).map(\.range.lowerBound))
    var positions = text.indices.map { found.contains($0) }
    positions.append(found.contains(text.endIndex))
    return positions
  }

  /// The results of positions and lookaheads, by the number of preceding
  /// characters.
  struct Conditions {
    var positions: [[Bool]] = []
    var lookaheads: [[Bool]] = []
  }
}

/// The active steps of a program at a position of a text.
struct RegexStates {
  private let program: RegexProgram
  private var reached: [Int] = []
  private var isReached: [Bool]
  private(set) var isAccepting = false

  init(_ program: RegexProgram) {
    self.program = program
    isReached = Array(repeating: false, count: program.steps.count)
  }

  var isEmpty: Bool { reached.isEmpty }

  /// Activates a step and all steps that follow it without consuming a
  /// character.
  mutating func enter(_ step: Int, at position: Int, _ conditions: BoundedRegex.Conditions) {
    var pending = [step]
    while let step = pending.popLast() {
      if isReached[step] { continue }
      isReached[step] = true
      reached.append(step)
      switch program.steps[step] {
      case .character: break
      case .accept: isAccepting = true
      case .jump(let target): pending.append(target)
      case .fork(let one, let other): pending += [other, one]
      case .position(let index):
        if conditions.positions[index][position] { pending.append(step + 1) }
      case .lookahead(let index, let isNegative):
        if conditions.lookaheads[index][position] != isNegative { pending.append(step + 1) }
      }
    }
  }

  /// Consumes a character.
  mutating func advance(
    to position: Int, _ conditions: BoundedRegex.Conditions, _ matches: (Int) -> Bool
  ) {
    let steps = reached
    reached.removeAll(keepingCapacity: true)
    for step in steps { isReached[step] = false }
    isAccepting = false
    for step in steps {
      if case .character(let index) = program.steps[step], matches(index) {
        enter(step + 1, at: position, conditions)
      }
    }
  }
}
