/// The order in which the models of a batch are written.
struct WriteOrder {
  private(set) var nodes: [ModelNode] = []
  /// The links of each node that are part of a cycle, by the indexes of
  /// their keys. Their columns are written after all rows have been written.
  private(set) var deferred: [ObjectIdentifier: Set<Int>] = [:]
  private var visiting: Set<ObjectIdentifier> = []
  /// The models whose rows are part of the identity of each node's rows.
  private var identifying: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]

  init(_ reachable: [ModelNode], _ schema: CompiledSchema) throws {
    let all = Set(reachable.map { ObjectIdentifier($0) })
    for node in reachable { try addIdentifying(node, schema) }
    for node in reachable { try visit(node, all, schema) }
  }

  /// Adds the models that a node's rows are identified by, directly or
  /// through others.
  @discardableResult
  private mutating func addIdentifying(
    _ node: ModelNode, _ schema: CompiledSchema
  ) throws -> Set<ObjectIdentifier> {
    if let known = identifying[ObjectIdentifier(node)] { return known }
    var models: Set<ObjectIdentifier> = []
    for link in node.links where node.unique.contains(link.index) {
      let target = try schema.node(of: link.target)
      models.formUnion(try addIdentifying(target, schema))
      models.insert(ObjectIdentifier(target))
    }
    identifying[ObjectIdentifier(node)] = models
    return models
  }

  private mutating func visit(
    _ node: ModelNode, _ all: Set<ObjectIdentifier>, _ schema: CompiledSchema
  ) throws {
    let id = ObjectIdentifier(node)
    guard !nodes.contains(where: { $0 === node }), visiting.insert(id).inserted else { return }
    for link in node.links where link.storage == .column {
      let target = try schema.node(of: link.target)
      // If the key is the identity, no lookup is needed.
      guard !target.entity.isKeyedByIdentity, all.contains(ObjectIdentifier(target)) else {
        continue
      }
      // Identifying links are never deferred: the row is found by them.
      let isNeeded = !identifying[ObjectIdentifier(target), default: []].isDisjoint(with: visiting)
      if visiting.contains(ObjectIdentifier(target)) || isNeeded {
        deferred[id, default: []].insert(link.index)
      } else {
        try visit(target, all, schema)
      }
    }
    visiting.remove(id)
    nodes.append(node)
  }
}
