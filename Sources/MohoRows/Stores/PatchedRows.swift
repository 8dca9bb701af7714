import MohoMapping

/// Changes the unknown members of stored rows as merge patches describe it
/// (RFC 7396).
struct PatchedRows<Model: MappedModel> {
  typealias Numbered = (partial: Partial<Model>, index: Int)

  private let writer: any PartialRowWriter<Model>
  private let source: any RowSource
  private let node: ModelNode

  init(
    _ writer: any PartialRowWriter<Model>, _ source: any RowSource, _ node: ModelNode
  ) {
    self.writer = writer
    self.source = source
    self.node = node
  }

  /// Returns partial models whose unknown members are values: those of the rows
  /// after all changes. The rows are read at once.
  func resolve(
    _ partials: [(partial: Partial<Model>, index: Int)]
  ) throws -> [(partial: Partial<Model>, index: Int)] {
    guard let key = partials.lazy.compactMap(\.partial.patchedIndex).first else { return partials }
    let identities = try identities(partials)
    let patched = zip(partials, identities).filter { $0.0.partial.patchedIndex != nil }
    var stored = try storedValues(of: Set(patched.compactMap(\.1)), at: key)
    return zip(partials, identities).map { item, identity in
      guard let identity else { return (item.partial.resolvingMembers(over: nil), item.index) }
      let partial = item.partial.resolvingMembers(over: stored[identity])
      // The next partial model of the row changes what this one has written.
      stored[identity] = stored[identity]?.merging(partial)
      return (partial, item.index)
    }
  }

  private func identities(_ partials: [Numbered]) throws -> [Int64?] {
    let keys = try partials.map { partial, index in
      try writer.check(partial)
      do {
        return try writer.key(of: partial)
      } catch let error as MappingError {
        throw error.inElement(index)
      }
    }
    return try writer.identities(of: keys)
  }

  /// Returns the stored values of a key, as partial models.
  private func storedValues(
    of identities: Set<Int64>, at index: Int
  ) throws -> [Int64: Partial<Model>] {
    guard case .column(let attribute?) = node.keys[index] else { return [:] }
    let rows = identities.sorted().map { RowIdentity(entity: node.name, stored: $0) }
    var values: [Int64: Partial<Model>] = [:]
    for row in try source.rows(of: node.entity, rows) {
      guard let identity = row.identity.stored else { continue }
      values[identity] = try Model.mapping.partial(
        ofStored: row.attributes[attribute], at: index)
    }
    return values
  }
}
