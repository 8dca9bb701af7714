import MohoMapping

/// Reads rows from a parent context, including its unsaved changes.
final class ParentSource: RowSource {
  let parent: EditingContext

  init(_ parent: EditingContext) { self.parent = parent }

  func fetch(_ request: RowRequest) throws -> [FetchedRow] {
    try parent.handles(of: request).map { parent.fetched($0) }
  }

  func rows(of entity: CompiledEntity, _ identities: [RowIdentity]) throws -> [FetchedRow] {
    var handles: [Int] = []
    for identity in identities {
      guard !identity.isTemporary || parent.graph.handles[identity] != nil else { continue }
      handles.append(parent.graph.handle(for: identity, entity: entity.index))
    }
    try parent.loadValues(handles)
    return handles.filter { parent.graph[$0].isAlive && !parent.graph[$0].isFault }
      .map { parent.fetched($0) }
  }

  func members(
    by relationship: CompiledRelationship, of owners: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedMember]] {
    let handles = owners.compactMap { parent.graph.handles[$0] }
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

  func rows(
    of entity: CompiledEntity, with columns: [UniqueKeyColumn], in keys: [UniqueKey]
  ) throws -> [FetchedRow] {
    try parent.handles(of: entity, with: columns, in: keys).values.flatMap { $0 }
      .map { parent.fetched($0) }
  }
}
