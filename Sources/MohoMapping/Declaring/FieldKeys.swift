import Synchronization

/// The keys of one mapping as an object. Adapters can use its identity to cache
/// what they prepare for the mapping.
public final class FieldKeys: Sendable {
  /// The keys, in declaration order.
  public let keys: [FieldKey]

  /// The name of the model, for messages.
  package let model: String

  /// Whether the members of an object depend on values: a key is inlined or
  /// receives unknown members.
  package let isOpen: Bool

  /// The indexes of the keys that are written: all except transient keys.
  package let written: [Int]

  /// The indexes of the keys that a store holds.
  package let stored: [Int]

  /// The indexes of the keys that have alternative paths.
  package let withAlternatives: [Int]

  /// Whether a store holds structured text of a key.
  let hasStructuredText: Bool

  /// The index of the key that receives unknown members, if there is one.
  package let unknownIndex: Int?

  /// The index of the key that receives unknown members, or whose inlined model
  /// does, once it was searched for.
  let receiverIndex = Lock<Int??>(nil)

  /// The arrays that contain keys, once they were searched for.
  let knownArrays = Lock<[KeyArray]?>(nil)

  /// The paths that divide the unknown members of an inlined model, once they were
  /// computed.
  let knownDivision = Lock<ClaimedPaths??>(nil)

  /// Whether keys have other paths in structured text than in documents.
  let haveOtherStoredPaths: Bool

  /// The keys with their paths in structured text, once they were needed.
  let knownInStructuredText = Lock<FieldKeys?>(nil)

  /// The scanners of structured text that no reader uses at the moment.
  let idleTextScanners = IdleObjects<TextScanner>(maxCount: 4)

  /// Whether these are the keys of a cluster: the discriminator, if it has one,
  /// and the fields of the variant.
  let isCluster: Bool

  /// The possible models of each inlined key, by index.
  let inlined: [Int: [any MappedModel.Type]]

  /// For a cluster, returns the model of the variant of the object that a
  /// decoder reads. The array is empty if the variant has no model. Nil if no
  /// variant matches.
  let chosen: (@Sendable (any FieldDecoder) -> [any MappedModel.Type]?)?

  /// Compares the order of the keys with the arguments of the initializer.
  let order: (@Sendable () -> OrderFindings)?

  /// The progress of the declaration check.
  let checkStatus: Atomic<CheckStatus>
  /// The results of the check. They are written before ``checkStatus``.
  let found = Lock(OrderFindings())

  init(
    _ keys: [FieldKey], of model: String, inlined: [Int: [any MappedModel.Type]] = [:],
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
    withAlternatives = keys.indices.filter { !keys[$0].alternatives.isEmpty }
    hasStructuredText = stored.contains {
      switch keys[$0].type {
      case .object, .array, .dictionary: true
      default: false
      }
    }
    haveOtherStoredPaths = keys.contains(where: \.hasOtherStoredPath)
    unknownIndex = keys.firstIndex(where: \.receivesUnknownMembers)
    isOpen = keys.contains { $0.isInlined || $0.receivesUnknownMembers }
    self.order = order
    checkStatus = Atomic(order == nil && !isOpen ? .sound : .unchecked)
  }
}
