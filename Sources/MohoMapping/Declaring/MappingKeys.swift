import Synchronization

/// The keys of one mapping, as an object whose identity adapters can remember
/// what they have prepared for it by.
public final class MappingKeys: Sendable {
  /// The keys, in declaration order.
  public let keys: [MappingKey]

  /// The name of the model, for messages.
  package let model: String

  /// Whether only its values tell which members an object has: a key is inlined
  /// or takes the unknown members.
  package let isOpen: Bool

  /// The positions of the keys that are written: all but transient ones.
  package let written: [Int]

  /// The positions of the keys that a store holds.
  package let stored: [Int]

  /// The position of the key that takes the unknown members, if one does.
  package let unknownIndex: Int?

  /// Whether the keys are those of a cluster: its discriminator, if it has one,
  /// and the fields of the variant.
  let isCluster: Bool

  /// The models that may lie at the inlined keys.
  let inlined: [Int: [any MappedModel.Type]]

  /// The models that lie at a cluster's inlined key in the object that a decoder
  /// reads: that of the variant, if it has one; nil where no variant is chosen.
  let chosen: (@Sendable (any FieldDecoder) -> [any MappedModel.Type]?)?

  /// Compares the keys with the initializer's arguments; nil where there is none.
  let order: (@Sendable () -> OrderFindings)?

  /// How far the check of the declaration is.
  let checkStatus: Atomic<CheckStatus>
  /// What the check found. Written before ``checkStatus``.
  let found = Lock(OrderFindings())

  init(
    _ keys: [MappingKey], of model: String, inlined: [Int: [any MappedModel.Type]] = [:],
    isCluster: Bool = false,
    chosen: (@Sendable (any FieldDecoder) -> [any MappedModel.Type]?)? = nil,
    order: (@Sendable () -> OrderFindings)? = nil
  ) {
    self.keys = keys
    self.model = model
    self.chosen = chosen
    self.inlined = inlined
    self.isCluster = isCluster
    written = keys.indices.filter { !keys[$0].isTransient }
    stored = keys.indices.filter { keys[$0].isStored }
    unknownIndex = keys.firstIndex(where: \.receivesUnknownMembers)
    isOpen = keys.contains { $0.isInlined || $0.receivesUnknownMembers }
    self.order = order
    checkStatus = Atomic(order == nil && !isOpen ? .sound : .unchecked)
  }
}
