/// The keys of one mapping, as an object whose identity adapters can remember
/// what they have prepared for it by.
public final class MappingKeys: Sendable {
  /// The keys, in declaration order.
  public let keys: [MappingKey]

  init(_ keys: [MappingKey]) { self.keys = keys }
}
