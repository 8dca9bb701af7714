import MohoMapping

/// The rows of a context and their changes. The graph is a value that contains
/// only what has been loaded, and does not access a database.
package struct ContextGraph: Sendable {
  let schema: CompiledSchema
  var records: [RowRecord] = []
  private(set) var handles: [RowIdentity: Int] = [:]
  /// The rows that may have changes.
  var touched: Set<Int> = []
  /// The changes of the current operation.
  private(set) var journal: [GraphChange] = []
  /// Whether a row may be deleted. If not, no link has to be hidden.
  var mayHaveDeletedRows = false

  init(_ schema: CompiledSchema) { self.schema = schema }

  func entity(of row: Int) -> CompiledEntity { schema.entities[records[row].entity] }

  package subscript(row: Int) -> RowRecord {
    get { records[row] }
    _modify { yield &records[row] }
  }

  /// Returns the handle of the row with an identity. Adds a fault if there is
  /// no such row.
  package mutating func handle(for identity: RowIdentity, entity: Int) -> Int {
    if let handle = handles[identity] { return handle }
    let handle = records.count
    records.append(RowRecord(entity: entity, identity: identity, isStored: true, isAlive: true))
    handles[identity] = handle
    return handle
  }

  mutating func rename(_ row: Int, to identity: RowIdentity) {
    handles[records[row].identity] = nil
    records[row].identity = identity
    handles[identity] = row
  }

  /// Inserts a row with the defaults of the entity.
  mutating func insert(_ entity: CompiledEntity) -> Int {
    let identity = RowIdentity.makeTemporary(entity.name)
    return insert(entity, identity: identity)
  }

  /// Inserts a row with an identity that a child context has assigned.
  mutating func insert(_ entity: CompiledEntity, identity: RowIdentity) -> Int {
    let handle = handle(for: identity, entity: entity.index)
    records[handle].isStored = false
    records[handle].isAlive = false
    records[handle].base = nil
    records[handle].current = entity.defaults
    for relationship in entity.relationships where relationship.slot == nil {
      records[handle].members[relationship.index] = Members.none
    }
    perform(.existence(row: handle, isAlive: true))
    return handle
  }

  mutating func setValue(_ value: FieldContent, of row: Int, attribute: Int) {
    guard let old = records[row].current?.attributes[attribute], old != value else {
      return
    }
    perform(.value(row: row, attribute: attribute, old: old, new: value))
  }

  /// Applies a change and appends it to the journal.
  mutating func perform(_ change: GraphChange) {
    let change = apply(change)
    journal.append(change)
  }

  /// Applies a change.
  ///
  /// - Returns: The change with its actual positions.
  @discardableResult
  mutating func apply(_ change: GraphChange) -> GraphChange {
    touched.insert(change.row)
    switch change {
    case .value(let row, let attribute, _, let new):
      records[row].current?.attributes[attribute] = new
    case .target(let row, let slot, _, let new):
      records[row].current?.targets[slot] = new
    case .link(let owner, let relationship, let member, let position):
      let position = records[owner].members[relationship, default: Members()]
        .link(member, at: position)
      return .link(
        owner: owner, relationship: relationship, member: member, position: position)
    case .unlink(let owner, let relationship, let member, let known):
      let position = records[owner].members[relationship, default: Members()].unlink(member)
      return .unlink(
        owner: owner, relationship: relationship, member: member, position: position ?? known)
    case .move(let owner, let relationship, let from, let to):
      records[owner].members[relationship]?.move(from: from, to: to)
    case .assignment(let owner, let relationship, let isUndone):
      records[owner].members[relationship, default: Members()]
        .countAssignment(isUndone: isUndone)
    case .hiddenLinks: break
    case .existence(let row, let isAlive):
      records[row].isAlive = isAlive
      if !isAlive { mayHaveDeletedRows = true }
    }
    return change
  }

  /// Reverts the changes that the journal recorded after a mark.
  mutating func revert(to mark: Int) {
    while journal.count > mark, let change = journal.popLast() { apply(change.inverted) }
  }

  /// Removes and returns the changes of the journal.
  mutating func takeJournal() -> [GraphChange] {
    defer { journal = [] }
    return journal
  }
}
