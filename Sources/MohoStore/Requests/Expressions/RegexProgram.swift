/// A regular expression as the steps of an automaton.
struct RegexProgram {
  enum Step {
    /// Goes on behind a character that an atom matches.
    case character(Int)
    /// Goes on where an atom matches the position.
    case position(Int)
    /// Goes on where an expression matches what follows, or does not.
    case lookahead(Int, isNegative: Bool)
    /// Goes on at two steps.
    case fork(Int, Int)
    /// Goes on at another step.
    case jump(Int)
    case accept
  }

  /// How many steps an expression has at most, with those of its lookaheads.
  static let maximumCount = 4_096

  let steps: [Step]
}

/// Makes the programs of an expression and of its lookaheads.
struct RegexCompiler {
  private(set) var characters: [RegexAtom] = []
  private(set) var positions: [RegexAtom] = []
  /// The programs of lookaheads, from right to left, inner ones first.
  private(set) var lookaheads: [RegexProgram] = []
  private var known: [RegexAtom: Int] = [:]
  private var knownPositions: [RegexAtom: Int] = [:]
  private var steps: [RegexProgram.Step] = []
  private var count = 0
  /// How often a part has been looked at: empty parts have no steps.
  private var work = 0

  /// - Throws: ``RegexLimit`` where there are too many steps.
  mutating func program(_ syntax: RegexSyntax) throws -> RegexProgram {
    let outer = steps
    defer { steps = outer }
    steps = []
    try emit(syntax)
    try add(.accept)
    return RegexProgram(steps: steps)
  }

  private mutating func add(_ step: RegexProgram.Step) throws {
    count += 1
    guard count <= RegexProgram.maximumCount else { throw RegexLimit.size }
    steps.append(step)
  }

  private mutating func emit(_ syntax: RegexSyntax) throws {
    work += 1
    guard work <= 16 * RegexProgram.maximumCount else { throw RegexLimit.size }
    switch syntax {
    case .character(let atom): try add(.character(Self.index(of: atom, &characters, &known)))
    case .position(let atom): try add(.position(Self.index(of: atom, &positions, &knownPositions)))
    case .lookahead(let other, let isNegative):
      let program = try program(other.reversed)
      lookaheads.append(program)
      try add(.lookahead(lookaheads.count - 1, isNegative: isNegative))
    case .sequence(let parts): for part in parts { try emit(part) }
    case .choice(let parts): try emitChoice(of: parts)
    case .repetition(let part, let minimum, let maximum):
      for _ in 0..<minimum { try emit(part) }
      if let maximum {
        for _ in min(minimum, maximum)..<maximum { try emitOptional(part) }
      } else {
        try emitOptional(part, isRepeated: true)
      }
    }
  }

  private mutating func emitChoice(of choices: [RegexSyntax]) throws {
    var ends: [Int] = []
    for (position, choice) in choices.enumerated() {
      guard position < choices.count - 1 else {
        try emit(choice)
        break
      }
      let fork = steps.count
      try add(.fork(fork + 1, fork + 1))
      try emit(choice)
      ends.append(steps.count)
      try add(.jump(0))
      steps[fork] = .fork(fork + 1, steps.count)
    }
    for end in ends { steps[end] = .jump(steps.count) }
  }

  /// A part that may be left out, or repeated.
  private mutating func emitOptional(_ part: RegexSyntax, isRepeated: Bool = false) throws {
    let fork = steps.count
    try add(.fork(fork + 1, fork + 1))
    try emit(part)
    if isRepeated { try add(.jump(fork)) }
    steps[fork] = .fork(fork + 1, steps.count)
  }

  private static func index(
    of atom: RegexAtom, _ atoms: inout [RegexAtom], _ known: inout [RegexAtom: Int]
  ) -> Int {
    if let index = known[atom] { return index }
    atoms.append(atom)
    known[atom] = atoms.count - 1
    return atoms.count - 1
  }
}
