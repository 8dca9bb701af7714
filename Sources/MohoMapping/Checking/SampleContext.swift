import Synchronization

/// What the samples of one check share: limits, and what was missing.
final class SampleContext: Sendable {
  /// How deep models nest in samples where each needs the next one.
  static let depth = 32
  /// How deep models nest in samples where nil or an empty collection would do.
  static let omissibleDepth = 3

  /// Which nested models are part of samples.
  enum Models: Sendable {
    /// None: other mappings are not touched.
    case none
    /// Any, whether or not they meet their validations.
    case any
    /// Those that meet their validations and can be written.
    case valid
  }

  private struct State {
    var models = 0
    var problems: [String] = []
    var reports = 0
  }

  let models: Models
  private let state = Lock(State())

  init(models: Models) { self.models = models }

  /// Whether samples must meet the validations.
  var isValid: Bool { models == .valid }

  /// Why a model has no sample: the keys without samples, and the validations that
  /// refuse all of them.
  var problems: [String] { state.withLock { $0.problems } }

  /// How many problems were added, those that were known included.
  var reports: Int { state.withLock { $0.reports } }

  /// Adds a problem unless it is known.
  func add(_ problem: String) {
    state.withLock { state in
      state.reports += 1
      if !state.problems.contains(problem) { state.problems.append(problem) }
    }
  }

  /// Counts a nested model, and returns whether it may be made. The number is
  /// limited since each level of nested models multiplies it.
  func countModel(isOmissible: Bool) -> Bool {
    guard models != .none else { return false }
    return state.withLock { state in
      state.models += 1
      return state.models <= (isOmissible ? 1_000 : 10_000)
    }
  }
}
