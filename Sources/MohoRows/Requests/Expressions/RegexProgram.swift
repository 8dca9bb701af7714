/// A regular expression compiled into the steps of an automaton.
struct RegexProgram {
  enum Step {
    /// Continues after a character that matches an atom.
    case character(Int)
    /// Continues if an atom matches at the position.
    case position(Int)
    /// Continues if a lookahead matches at the position, or if it does not
    /// match.
    case lookahead(Int, isNegative: Bool)
    /// Continues at both steps.
    case fork(Int, Int)
    /// Continues at another step.
    case jump(Int)
    case accept
  }

  /// The maximum number of steps of an expression, including its lookaheads.
  static let maximumCount = 4_096

  let steps: [Step]
}

/// Compiles an expression and its lookaheads into programs.
struct RegexCompiler {
  private(set) var characters: [RegexAtom] = []
  private(set) var positions: [RegexAtom] = []
  /// The programs of the lookaheads, reversed. Inner lookaheads come first.
  private(set) var lookaheads: [RegexProgram] = []
  private var characterIndexes: [RegexAtom: Int] = [:]
  private var positionIndexes: [RegexAtom: Int] = [:]
  private var steps: [RegexProgram.Step] = []
  private var count = 0
  /// The number of visited parts. Empty parts add no step but still take time.
  private var visitCount = 0

  /// - Throws: A ``RegexIssue`` if the program has too many steps.
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
    guard count <= RegexProgram.maximumCount else { throw RegexIssue.size }
    steps.append(step)
  }

  private mutating func emit(_ syntax: RegexSyntax) throws {
    visitCount += 1
    guard visitCount <= 16 * RegexProgram.maximumCount else { throw RegexIssue.size }
    switch syntax {
    case .character(let atom):
      try add(.character(Self.index(of: atom, &characters, &characterIndexes)))
    case .position(let atom): try add(.position(Self.index(of: atom, &positions, &positionIndexes)))
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

  /// Emits a part that is optional or repeated.
  private mutating func emitOptional(_ part: RegexSyntax, isRepeated: Bool = false) throws {
    let fork = steps.count
    try add(.fork(fork + 1, fork + 1))
    try emit(part)
    if isRepeated { try add(.jump(fork)) }
    steps[fork] = .fork(fork + 1, steps.count)
  }

  private static func index(
    of atom: RegexAtom, _ atoms: inout [RegexAtom], _ indexes: inout [RegexAtom: Int]
  ) -> Int {
    if let index = indexes[atom] { return index }
    atoms.append(atom)
    indexes[atom] = atoms.count - 1
    return atoms.count - 1
  }
}
