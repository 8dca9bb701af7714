import MohoMapping

/// The outcome of comparing the links of a context with those of its source.
struct SettledLinks {
  var conflicts: [SaveConflict] = []
  /// Deleted rows that are not deleted, because of changed links.
  var restored: Set<Int> = []
}

extension EditingContext {
  /// Compares edited links with those of the store or the parent, and resolves
  /// differences by ``conflictPolicy``. The resolved links are unsaved changes of
  /// the context.
  ///
  /// - Complexity: One statement for each edited relationship.
  func settleLinks() throws -> SettledLinks {
    // The store may run a transaction again.
    if let unmerged { graph = unmerged }
    var settled = SettledLinks()
    let compared = graph.linksToCompare().map { relationship, owners in
      (relationship, owners.map { ($0, graph[$0].members[relationship.index] ?? Members()) })
    }
    for (relationship, lists) in compared {
      let owners = lists.map { graph[$0.0].identity }
      let found = try source.members(by: relationship, of: owners)
      for (owner, members) in lists {
        let theirs = found[graph[owner].identity] ?? []
        if isSame(theirs, members, relationship) { continue }
        if unmerged == nil { unmerged = graph }
        let handles = register(theirs.map(\.row), of: schema.entities[relationship.destination])
        let isAlive = graph[owner].isAlive
        let links = ComparedLinks(
          read: visible(members.stored ?? []), mine: isAlive ? visible(members.current) : [],
          theirs: visible(handles), positions: positions(theirs, handles),
          isOrdered: relationship.isOrdered, isToMany: relationship.isToMany,
          isAssigned: members.isAssigned)
        if isAlive {
          try settle(links, of: owner, relationship, &settled)
        } else {
          let read = Set(members.stored ?? [])
          let added = handles.filter { !read.contains($0) && graph[$0].isAlive }
          if !added.isEmpty {
            try settleDeletion(of: owner, relationship, links, added, &settled)
          }
        }
      }
    }
    return settled
  }

  private func isSame(
    _ theirs: [FetchedMember], _ members: Members, _ relationship: CompiledRelationship
  ) -> Bool {
    let identities = theirs.map(\.row.identity)
    let read = (members.stored ?? []).map { graph[$0].identity }
    guard relationship.isOrdered else { return Set(identities) == Set(read) }
    // New positions are computed from the stored ones.
    return identities == read && theirs.map(\.position) == members.positions
  }

  private func visible(_ rows: [Int]) -> [Int] { rows.filter { graph[$0].isAlive } }

  private func positions(_ members: [FetchedMember], _ handles: [Int]) -> [Int64?] {
    zip(members, handles).filter { graph[$1].isAlive }.map(\.0.position)
  }

  private func settle(
    _ links: ComparedLinks, of owner: Int, _ relationship: CompiledRelationship,
    _ settled: inout SettledLinks
  ) throws {
    // Rows that another writer has unlinked may have been deleted, or linked to
    // another row.
    let theirs = Set(links.theirs)
    let missing = links.mine.filter { graph[$0].isStored && !theirs.contains($0) }
    let rows = try source.rows(
      of: schema.entities[relationship.destination], missing.map { graph[$0].identity })
    let existing = Set(register(rows, of: schema.entities[relationship.destination]))
    let gone = Set(missing).subtracting(existing).intersection(links.read)
    guard var final = resolved(links, of: owner, relationship, &settled) else { return }
    final.removeAll { gone.contains($0) }
    graph.rebase(owner, relationship, on: links, to: final)
    markRefreshed([owner])
  }

  /// Returns the links to save, or nil if there is a conflict.
  private func resolved(
    _ links: ComparedLinks, of owner: Int, _ relationship: CompiledRelationship,
    _ settled: inout SettledLinks
  ) -> [Int]? {
    guard links.isConflict else { return links.merged(.theirs) }
    switch conflictPolicy {
    case .error:
      settled.conflicts.append(conflict(of: owner, relationship, links))
      return nil
    case .storeWins:
      let theirs = Set(links.theirs)
      return links.theirs
        + links.mine.filter { !graph[$0].isStored && !theirs.contains($0) && links.isToMany }
    case .contextWins: return links.mine
    case .perKey(let choose):
      let conflict = conflict(of: owner, relationship, links)
      return links.merged(links.isContradiction ? choose(conflict.keys[0]) : .mine)
    }
  }

  /// Decides about the deletion of a row to which rows have been linked since the
  /// context read its links.
  private func settleDeletion(
    of row: Int, _ relationship: CompiledRelationship, _ links: ComparedLinks, _ added: [Int],
    _ settled: inout SettledLinks
  ) throws {
    if relationship.deleteRule == .deny || relationship.deleteRule == .noAction {
      // Validation reports these rows.
      for member in added {
        graph[row].members[relationship.index]?.correct(member, isLinked: true)
      }
      return
    }
    switch conflictPolicy {
    case .error: settled.conflicts.append(conflict(of: row, relationship, links))
    case .storeWins: restore(row, &settled.restored)
    case .contextWins, .perKey:
      if relationship.deleteRule == .cascade { try delete(handles: added) }
    }
  }

  /// Restores a deleted row and the rows that its delete rules have deleted.
  private func restore(_ row: Int, _ restored: inout Set<Int>) {
    var rows = [row]
    while let row = rows.popLast() {
      guard restored.insert(row).inserted else { continue }
      for relationship in graph.entity(of: row).relationships
      where relationship.deleteRule == .cascade {
        let members =
          relationship.slot.map { [graph[row].base?.targets[$0]].compactMap { $0 } }
          ?? graph[row].members[relationship.index]?.stored ?? []
        rows += members.filter { graph[$0].isStored && !graph[$0].isAlive }
      }
    }
  }

  private func conflict(
    of row: Int, _ relationship: CompiledRelationship, _ links: ComparedLinks
  ) -> SaveConflict {
    func content(_ rows: [Int]) -> FieldContent {
      let identities = rows.map { graph[$0].identity }
      let sorted = relationship.isOrdered ? identities : identities.sorted()
      return .array(sorted.map { CellValue.row($0).content })
    }
    let identity = graph[row].identity
    return SaveConflict(
      row: identity, kind: .linked,
      keys: [
        KeyConflict(
          row: identity, key: relationship.isImplied ? relationship.label : relationship.name,
          old: content(links.read), mine: content(links.mine), theirs: content(links.theirs))
      ])
  }
}
