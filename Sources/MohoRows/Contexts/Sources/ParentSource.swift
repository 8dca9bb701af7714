import MohoMapping

/// Reads rows from a parent context, including its unsaved changes.
final class ParentSource: RowSource {
  let parent: EditingContext

  init(_ parent: EditingContext) { self.parent = parent }

  func fetch(_ request: RowRequest) throws -> [FetchedRow] {
    try parent.handles(of: request).map { parent.fetched($0) }
  }

  func rows(of entity: CompiledEntity, _ identities: [RowIdentity]) throws -> [FetchedRow] {
    let handles = handles(of: identities, entity.index)
    try parent.loadValues(handles)
    return handles.filter { parent.graph[$0].isAlive && !parent.graph[$0].isFault }
      .map { parent.fetched($0) }
  }

  /// Returns the handles of the parent's rows, and of stored rows that the parent
  /// has not read.
  private func handles(of identities: [RowIdentity], _ entity: Int) -> [Int] {
    identities.filter { !$0.isTemporary || parent.graph.handles[$0] != nil }
      .map { parent.graph.handle(for: $0, entity: entity) }
  }

  func members(
    by relationship: CompiledRelationship, of owners: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedMember]] {
    let handles = handles(of: owners, relationship.entity)
    try parent.loadMembers(handles, relationship)
    var members: [RowIdentity: [FetchedMember]] = [:]
    for handle in handles {
      var partners = parent.graph.partners(of: handle, relationship)
      try parent.loadValues(partners)
      partners.removeAll { !parent.graph[$0].isAlive || parent.graph[$0].isFault }
      members[parent.graph[handle].identity] = partners.enumerated().map { position, partner in
        FetchedMember(row: parent.fetched(partner), position: Int64(position))
      }
    }
    return members
  }

  func owners(
    by relationship: CompiledRelationship, of members: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedRow]] {
    let links = try parent.incomingLinks(
      to: handles(of: members, relationship.destination), by: relationship)
    return Dictionary(grouping: links) { parent.graph[$0.member].identity }
      .mapValues { $0.map { parent.fetched($0.owner) } }
  }

  func rows(
    of entity: CompiledEntity, with columns: [UniqueKeyColumn], in keys: [UniqueKey]
  ) throws -> [FetchedRow] {
    try parent.handles(of: entity, with: columns, in: keys).values.flatMap { $0 }
      .map { parent.fetched($0) }
  }
}
