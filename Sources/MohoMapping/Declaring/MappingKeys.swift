import Synchronization

/// The keys of one mapping, as an object whose identity adapters can remember
/// what they have prepared for it by.
public final class MappingKeys: Sendable {
  /// The keys, in declaration order.
  public let keys: [MappingKey]

  /// Whether a key is inlined.
  package let hasInlined: Bool

  /// Whether the keys are those of a cluster: its discriminator, if it has one,
  /// and the fields of the variant.
  let isCluster: Bool

  /// The models that may lie at the inlined keys.
  let inlined: [Int: [any MappedModel.Type]]

  /// What was found wrong with the inlined keys, once it was looked for.
  private let checked = Mutex<[DeclarationIssue]?>(nil)

  init(
    _ keys: [MappingKey], inlined: [Int: [any MappedModel.Type]] = [:], isCluster: Bool = false
  ) {
    self.keys = keys
    self.inlined = inlined
    self.isCluster = isCluster
    hasInlined = keys.contains(where: \.isInlined)
  }

  /// What is wrong with the inlined keys.
  ///
  /// It is looked for when it is asked for first: while the mapping is made,
  /// those of the models inside may not be there yet.
  var inliningIssues: [DeclarationIssue] {
    guard hasInlined else { return [] }
    if let issues = checked.withLock({ $0 }) { return issues }
    // Outside the lock, as it makes mappings. Who else looks finds the same.
    let issues = findInliningIssues()
    checked.withLock { $0 = issues }
    return issues
  }
}
