/// Which sample value a mapping asks for when it checks its declaration.
///
/// Values of different positions should differ where the type has enough values.
/// A type that wraps another one passes the sample on:
///
/// ```swift
/// static func sample(_ sample: FieldSample) -> Percentage? {
///   Double.sample(sample).map { Percentage($0) }
/// }
/// ```
public struct FieldSample: Sendable {
  /// The position of the value among the samples, from 0.
  public let position: Int
  /// The round of the check, from 0.
  public let round: Int

  /// The check that asks for the sample.
  let context: SampleContext
  /// The models that the sample is nested in.
  private(set) var models: [ObjectIdentifier] = []
  /// Whether nil or an empty collection can stand for the value.
  private(set) var isOmissible = false

  init(position: Int, round: Int = 0, context: SampleContext) {
    self.position = position
    self.round = round
    self.context = context
  }

  /// A small positive number, different for each position.
  public var number: Int { position + 1 }

  /// The bit of the position that the round asks for.
  public var bit: Bool { (position >> round) & 1 == 1 }

  /// One of some values; nil of none.
  func element<Value>(of values: [Value]) -> Value? {
    values.isEmpty ? nil : values[index(among: values.count)]
  }

  /// The position of one of `count` values that the round asks for.
  func index(among count: Int) -> Int { (position >> round) % count }
}

extension FieldSample: Hashable {
  /// Whether both ask for the same position in the same round.
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
  /// The sample a number of positions further on.
  func advanced(by distance: Int) -> FieldSample { at(position + distance) }

  /// The sample at another position.
  func at(_ position: Int) -> FieldSample {
    var sample = FieldSample(position: position, round: round, context: context)
    sample.models = models
    sample.isOmissible = isOmissible
    return sample
  }

  /// The sample of a value that an optional or a collection wraps.
  package var omissible: FieldSample {
    var sample = self
    sample.isOmissible = true
    return sample
  }

  /// The sample of the fields of a model, or nil where the model is already one of
  /// those around it, or is nested too deep.
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
