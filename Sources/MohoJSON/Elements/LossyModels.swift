public import MohoMapping

/// The elements of an array that were decoded, and the errors of the others.
public struct LossyModels<Model> {
  /// The models, in the order of the array.
  public let models: [Model]
  /// The indices of the models' elements in the array.
  public let indices: [Int]
  /// The errors of the other elements, in the order of the array.
  public let failures: [ElementFailure]
}

extension LossyModels: Sendable where Model: Sendable {}
extension LossyModels: Equatable where Model: Equatable {
  /// Whether two results have equal models, and errors with equal messages.
  public static func == (one: Self, other: Self) -> Bool {
    one.models == other.models && one.indices == other.indices
      && one.failures.map(\.description) == other.failures.map(\.description)
  }
}

/// The error of one element of an array.
public struct ElementFailure: Error, Sendable, CustomStringConvertible {
  /// The index of the element in the array.
  public let index: Int
  /// The error; see `MappingError.errors` if several keys failed.
  public let error: MappingError

  /// The error's message.
  public var description: String { error.description }
}
