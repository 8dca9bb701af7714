/// The transitions of a context's result that have not been reported to the
/// delegate.
///
/// The queue is a value. ``next()`` returns the action to perform. If a
/// delegate changes the context while an update is reported, the caller that is
/// reporting also reports that change afterwards, as a separate update.
struct UpdateQueue {
  enum Action {
    /// Report a transition to the delegate.
    case report(ContextTransition)
    /// Compute the next transition.
    case advance
  }

  private var transitions: [ContextTransition] = []
  private var needsAdvance = false
  private var isProcessing = false

  /// Records that the context or the store may have changed.
  mutating func setNeedsAdvance() { needsAdvance = true }

  /// Appends transitions that must be reported before any later ones.
  mutating func append(_ transitions: [ContextTransition]) { self.transitions += transitions }

  /// Begins processing. Returns false if another caller is already processing. If
  /// it returns true, the caller must perform all actions and call ``end()``.
  mutating func begin() -> Bool {
    if isProcessing { return false }
    isProcessing = true
    return true
  }

  mutating func end() { isProcessing = false }

  var isEmpty: Bool { !needsAdvance && transitions.isEmpty }

  /// Removes and returns the next action.
  mutating func next() -> Action? {
    if !transitions.isEmpty { return .report(transitions.removeFirst()) }
    if !needsAdvance { return nil }
    needsAdvance = false
    return .advance
  }
}
