import Synchronization

/// Identifies the sample value that a mapping requests to check its
/// declaration.
///
/// Samples of different positions should differ if the type has enough values.
/// A type that wraps another type passes the sample on:
///
/// ```swift
/// static func sample(_ sample: FieldSample) -> Percentage? {
///   Double.sample(sample).map { Percentage($0) }
/// }
/// ```
public struct FieldSample: Sendable {
  /// The zero-based position of the value among the samples.
  public let position: Int
  /// The zero-based round of the check.
  public let round: Int

  let context: SampleContext
  /// The models that contain the sample.
  private(set) var models: [ObjectIdentifier] = []
  /// Whether nil or an empty collection can replace the value.
  private(set) var isOmissible = false

  init(position: Int, round: Int = 0, context: SampleContext) {
    self.position = position
    self.round = round
    self.context = context
  }

  /// A small positive number, different for each position.
  public var number: Int { position + 1 }

  /// The bit of the position that the round selects.
  public var bit: Bool { (position >> round) & 1 == 1 }

  /// One of some values, or nil if there are no values.
  func element<Value>(of values: [Value]) -> Value? {
    values.isEmpty ? nil : values[index(among: values.count)]
  }

  /// The index that the round selects among `count` values.
  func index(among count: Int) -> Int { (position >> round) % count }
}

extension FieldSample: Hashable {
  /// Whether the positions and the rounds are equal.
  public static func == (one: FieldSample, other: FieldSample) -> Bool {
    one.position == other.position && one.round == other.round
  }

  /// Hashes the position and the round.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(position)
    hasher.combine(round)
  }
}

extension FieldSample {
  func advanced(by distance: Int) -> FieldSample { at(position + distance) }

  func at(_ position: Int) -> FieldSample {
    var sample = FieldSample(position: position, round: round, context: context)
    sample.models = models
    sample.isOmissible = isOmissible
    return sample
  }

  /// The sample of a value that is wrapped in an optional or a collection.
  package var omissible: FieldSample {
    var sample = self
    sample.isOmissible = true
    return sample
  }

  /// The sample of the fields of a model. Nil if the model already contains the
  /// sample, or if it is nested too deep.
  func nested(in model: Any.Type) -> FieldSample? {
    let model = ObjectIdentifier(model)
    let depth = isOmissible ? SampleContext.omissibleDepth : SampleContext.depth
    guard models.count < depth, !models.contains(model),
      context.countModel(isOmissible: isOmissible)
    else { return nil }
    var sample = self
    sample.models.append(model)
    sample.isOmissible = false
    return sample
  }
}

/// The limits and problems that all samples of one check share.
final class SampleContext: Sendable {
  /// The maximum number of nested models if each one requires the next.
  static let depth = 32
  /// The maximum number of nested models if nil or an empty collection can
  /// replace them.
  static let omissibleDepth = 3

  /// Which nested models samples contain.
  enum Models: Sendable {
    /// No models: other mappings are not used.
    case none
    /// Models that may fail their validations.
    case any
    /// Models that pass their validations and can be written.
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

  /// Whether samples must pass the validations.
  var isValid: Bool { models == .valid }

  /// Why a model has no sample: keys without samples, and validations that
  /// every sample fails.
  var problems: [String] { state.withLock { $0.problems } }

  /// How often ``add(_:)`` was called.
  var reports: Int { state.withLock { $0.reports } }

  /// Adds a problem once.
  func add(_ problem: String) {
    state.withLock { state in
      state.reports += 1
      if !state.problems.contains(problem) { state.problems.append(problem) }
    }
  }

  /// Counts a nested model and returns whether it can be created. The total is
  /// limited because each level of nesting multiplies the number of models.
  func countModel(isOmissible: Bool) -> Bool {
    guard models != .none else { return false }
    return state.withLock { state in
      state.models += 1
      return state.models <= (isOmissible ? 1_000 : 10_000)
    }
  }
}
