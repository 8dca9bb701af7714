import MohoMapping

/// The rows of a context and what has been changed of them: a value, which
/// knows no database. Who asks for more than it has loaded gets what is known.
struct ContextGraph: Sendable {
  let layout: ContextLayout
  var records: [RowRecord] = []
  private(set) var handles: [RowIdentity: Int] = [:]
  /// The rows of which something may be changed.
  var touched: Set<Int> = []
  /// What the running operation has changed so far.
  private(set) var journal: [GraphChange] = []

  init(_ layout: ContextLayout) { self.layout = layout }

  func entity(of row: Int) -> EntityLayout { layout.entities[records[row].entity] }

  subscript(row: Int) -> RowRecord {
    get { records[row] }
    _modify { yield &records[row] }
  }

  /// The row of an identity, a fault where it was not known.
  mutating func handle(for identity: RowIdentity, entity: Int) -> Int {
    if let handle = handles[identity] { return handle }
    let handle = records.count
    records.append(RowRecord(entity: entity, identity: identity, isStored: true, isAlive: true))
    handles[identity] = handle
    return handle
  }

  /// Gives a row another identity.
  mutating func rename(_ row: Int, to identity: RowIdentity) {
    handles[records[row].identity] = nil
    records[row].identity = identity
    handles[identity] = row
  }

  /// Makes a row of the entity's defaults.
  mutating func insert(_ entity: EntityLayout) -> Int {
    let identity = RowIdentity.makeTemporary(entity.name)
    return insert(entity, identity: identity)
  }

  /// Makes a row that has an identity already, in the context that it comes
  /// from.
  mutating func insert(_ entity: EntityLayout, identity: RowIdentity) -> Int {
    let handle = handle(for: identity, entity: entity.index)
    records[handle].isStored = false
    records[handle].isAlive = false
    records[handle].base = nil
    records[handle].current = entity.defaults
    for relationship in entity.relationships where relationship.slot == nil {
      records[handle].members[relationship.index] = Members.none
    }
    perform(.life(row: handle, isAlive: true))
    return handle
  }

  mutating func setValue(_ value: FieldContent, of row: Int, attribute: Int) {
    guard let old = records[row].current?.attributes[attribute], !old.isSame(as: value) else {
      return
    }
    perform(.value(row: row, attribute: attribute, old: old, new: value))
  }

  /// Makes a change and writes it down.
  mutating func perform(_ change: GraphChange) {
    let change = apply(change)
    journal.append(change)
  }

  /// Makes a change.
  ///
  /// - Returns: The change with the positions that are known now.
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
    case .life(let row, let isAlive):
      records[row].isAlive = isAlive
    }
    return change
  }

  /// Takes back what was written down behind a place.
  mutating func takeBack(to mark: Int) {
    while journal.count > mark, let change = journal.popLast() { apply(change.inverted) }
  }

  /// What was written down, which begins anew.
  mutating func takeJournal() -> [GraphChange] {
    defer { journal = [] }
    return journal
  }
}
