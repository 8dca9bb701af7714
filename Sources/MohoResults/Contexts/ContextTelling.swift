/// What is yet to be told of a result in a context, and whether somebody is
/// telling: a value whose events return what is to be done.
///
/// What happens while a delegate is told, because of what it does, is told by
/// whoever is telling it, in a cycle of its own.
struct ContextTelling {
  /// What is to be done next.
  enum Action {
    /// The delegate is told of a step.
    case tell(ContextStep)
    /// The next step is made.
    case look
  }

  private var steps: [ContextStep] = []
  private var isBehind = false
  private var isBusy = false

  /// Something may have changed.
  mutating func fallBehind() { isBehind = true }

  /// Steps have been made that the delegate is to be told of before any others.
  mutating func add(_ steps: [ContextStep]) { self.steps += steps }

  /// Whether the caller is to do all that there is to be done, and to say when
  /// that has ended: nobody else is about it.
  mutating func begin() -> Bool {
    if isBusy { return false }
    isBusy = true
    return true
  }

  /// Whoever has begun has ended.
  mutating func end() { isBusy = false }

  /// Whether there is something to be done.
  var isOpen: Bool { isBehind || !steps.isEmpty }

  /// What is to be done next, by the one who has begun; nil if that is all.
  mutating func next() -> Action? {
    if !steps.isEmpty { return .tell(steps.removeFirst()) }
    if !isBehind { return nil }
    isBehind = false
    return .look
  }
}
