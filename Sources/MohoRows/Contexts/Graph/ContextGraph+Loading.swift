import MohoMapping

extension ContextGraph {
  /// Adds rows that were read together.
  ///
  /// A row with unsaved changes keeps its current values, and also the values
  /// that were read first: saving compares these with the store.
  ///
  /// - Returns: The handles of the rows in order, and the handles of the rows
  ///   whose values have changed.
  @discardableResult
  mutating func register(
    _ rows: [FetchedRow], of entity: CompiledEntity
  ) -> (handles: [Int], refreshed: [Int]) {
    var handles: [Int] = []
    var refreshed: [Int] = []
    var faults: [[Int]] = Array(repeating: [], count: entity.linkColumns.count)
    handles.reserveCapacity(rows.count)
    for row in rows {
      let handle = handle(for: row.identity, entity: entity.index)
      handles.append(handle)
      if records[handle].isFault {
        let values = values(of: row, entity, &faults)
        records[handle].base = values
        records[handle].current = values
        touchIfLinksAreHidden(handle)
      } else if isClean(handle) {
        let values = values(of: row, entity, &faults)
        guard let old = records[handle].base, old != values else { continue }
        records[handle].base = values
        records[handle].current = values
        correctMembers(of: handle, from: old.targets, to: values.targets)
        touchIfLinksAreHidden(handle)
        refreshed.append(handle)
      }
    }
    setBatches(handles)
    for faults in faults { setBatches(ofFaults: faults) }
    return (handles, refreshed)
  }

  private mutating func values(
    of row: FetchedRow, _ entity: CompiledEntity, _ faults: inout [[Int]]
  ) -> RowValues {
    var targets: [Int?] = []
    for (slot, target) in row.targets.enumerated() {
      let destination = entity.linkColumns[slot].destination
      let handle = target.map { self.handle(for: $0, entity: destination) }
      if let handle, records[handle].isFault, records[handle].batch == nil {
        faults[slot].append(handle)
      }
      targets.append(handle)
    }
    return RowValues(attributes: row.attributes, targets: targets)
  }

  /// Groups rows that were fetched together.
  private mutating func setBatches(_ handles: [Int]) {
    var rest = handles[...]
    while !rest.isEmpty {
      let batch = FaultBatch(Array(rest.prefix(FaultBatch.size)))
      rest = rest.dropFirst(FaultBatch.size)
      for handle in batch.handles { records[handle].batch = batch }
    }
  }

  /// Groups faults that fetched rows refer to, except those that were fetched
  /// together with these rows.
  private mutating func setBatches(ofFaults handles: [Int]) {
    setBatches(withoutRepetitions: handles.filter { records[$0].batch == nil })
  }

  /// Groups rows, some of which occur several times.
  private mutating func setBatches(withoutRepetitions handles: [Int]) {
    let pending = FaultBatch([])
    var distinct: [Int] = []
    for handle in handles where records[handle].batch !== pending {
      records[handle].batch = pending
      distinct.append(handle)
    }
    setBatches(distinct)
  }

  /// Updates loaded members after the link columns of a row have changed in the
  /// store.
  mutating func correctMembers(of row: Int, from old: [Int?], to new: [Int?]) {
    for (slot, column) in entity(of: row).linkColumns.enumerated() where old[slot] != new[slot] {
      guard let inverse = inverse(of: column), inverse.slot == nil else { continue }
      if let owner = old[slot] {
        records[owner].members[inverse.index]?.correct(row, isLinked: false)
      }
      if let owner = new[slot] {
        records[owner].members[inverse.index]?.correct(row, isLinked: true)
      }
    }
  }

  /// Returns the rows whose values are loaded together with the values of a
  /// row.
  func faults(with row: Int) -> [Int] {
    let together = records[row].batch?.handles ?? []
    return Set(together + [row]).filter { records[$0].isFault && records[$0].isStored }.sorted()
  }

  /// Returns the rows whose members are loaded together with the members of a
  /// row.
  func ownersToLoad(with row: Int, _ relationship: CompiledRelationship) -> [Int] {
    let together = records[row].batch?.handles ?? []
    return Set(together + [row]).filter { lacksMembers($0, relationship) }.sorted()
  }

  func lacksMembers(_ row: Int, _ relationship: CompiledRelationship) -> Bool {
    relationship.slot == nil && records[row].isStored
      && records[row].entity == relationship.entity
      && records[row].members[relationship.index]?.isLoaded != true
  }

  /// Adds the members of rows.
  ///
  /// - Returns: The handles of the members whose values have changed.
  mutating func register(
    _ members: [RowIdentity: [FetchedMember]], by relationship: CompiledRelationship,
    of owners: [Int]
  ) -> [Int] {
    let destination = schema.entities[relationship.destination]
    let rows = owners.flatMap { members[records[$0].identity] ?? [] }
    let (handles, refreshed) = register(rows.map(\.row), of: destination)
    // A link table can link a row to several owners.
    if inverse(of: relationship)?.slot == nil { setBatches(withoutRepetitions: handles) }
    var next = 0
    for owner in owners {
      let found = members[records[owner].identity] ?? []
      let stored = Array(handles[next..<next + found.count])
      next += found.count
      records[owner].members[relationship.index, default: Members()]
        .load(stored, positions: found.map(\.position))
      if mayHaveDeletedRows, stored.contains(where: { !records[$0].isAlive }) {
        touched.insert(owner)
      }
    }
    return refreshed
  }

  /// Updates a row to the current values of the store, except for values with
  /// unsaved changes.
  mutating func refresh(_ row: Int, with fetched: FetchedRow) {
    let entity = entity(of: row)
    var faults: [[Int]] = Array(repeating: [], count: entity.linkColumns.count)
    let fresh = values(of: fetched, entity, &faults)
    for faults in faults { setBatches(ofFaults: faults) }
    let old = records[row].base
    let changed = Set(changedTargets(of: row))
    var current = fresh
    if let base = old, let mine = records[row].current {
      for index in mine.attributes.indices
      where mine.attributes[index] != base.attributes[index] {
        current.attributes[index] = mine.attributes[index]
      }
      for slot in changed { current.targets[slot] = mine.targets[slot] }
      let unchanged = mine.targets.indices.map { !changed.contains($0) }
      correctMembers(
        of: row, from: zip(unchanged, base.targets).map { $0 ? $1 : nil },
        to: zip(unchanged, fresh.targets).map { $0 ? $1 : nil })
    }
    records[row].base = fresh
    records[row].current = current
    touchIfLinksAreHidden(row)
    for index in records[row].members.keys { records[row].members[index]?.unload() }
  }

  /// Marks a row as no longer stored.
  mutating func markGone(_ row: Int) {
    records[row].isStored = false
    records[row].isAlive = false
    records[row].base = nil
    if records[row].current == nil { records[row].current = entity(of: row).defaults }
    for relationship in entity(of: row).relationships {
      for partner in partners(of: row, relationship) {
        guard let inverse = inverse(of: relationship), inverse.slot == nil else { continue }
        records[partner].members[inverse.index]?.correct(row, isLinked: false)
      }
    }
    clearLinks(to: [row])
    rename(row, to: .makeTemporary(records[row].identity.entity))
  }
}
