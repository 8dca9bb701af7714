public import MohoMapping

/// The elements of an array that could be read, and why the others could not.
public struct LossyModels<Model> {
  /// The models, in the order of the array.
  public let models: [Model]
  /// The positions of the models' elements in the array.
  public let indices: [Int]
  /// The elements that could not be read, in the order of the array.
  public let failures: [ElementFailure]
}

extension LossyModels: Sendable where Model: Sendable {}
extension LossyModels: Equatable where Model: Equatable {
  /// Whether two results hold equal models and failed for equal reasons, as
  /// their messages say.
  public static func == (one: Self, other: Self) -> Bool {
    one.models == other.models && one.indices == other.indices
      && one.failures.map(\.description) == other.failures.map(\.description)
  }
}

/// Why one element of an array could not be read.
public struct ElementFailure: Error, Sendable, CustomStringConvertible {
  /// The position of the element in the array.
  public let index: Int
  /// What is wrong with the element; see `MappingError.errors` where several
  /// keys are.
  public let error: MappingError

  /// The error's message.
  public var description: String { error.description }
}
