extension ManagedRow {
  /// The row that a relationship to one leads to, or nil.
  ///
  /// - Throws: ``StoreError`` where the entity has no such relationship to one,
  ///   or the row cannot be read.
  public func related(_ key: String) throws -> ManagedRow? {
    let context = try requiredContext
    let relationship = try relationship(key, isToMany: false, in: context)
    let partners = try context.partners(of: handle, relationship)
    context.endReading()
    return partners.first.map { context.row($0) }
  }

  /// The rows that a relationship to many leads to, in their order; by identity
  /// where they have none, new ones last.
  ///
  /// - Throws: ``StoreError`` where the entity has no such relationship to many,
  ///   or the row cannot be read.
  /// - Complexity: One statement for the first of up to 500 rows that were
  ///   fetched together, none for the others.
  public func rows(_ key: String) throws -> [ManagedRow] {
    let context = try requiredContext
    let relationship = try relationship(key, isToMany: true, in: context)
    var partners = try context.partners(of: handle, relationship)
    context.endReading()
    if !relationship.isOrdered {
      partners.sort { context.graph[$0].identity < context.graph[$1].identity }
    }
    return partners.map { context.row($0) }
  }

  /// Links the row to another by a relationship to one, or to none. The ways
  /// back follow.
  ///
  /// - Throws: ``StoreError`` as ``related(_:)``, and where the rows are of
  ///   different contexts, or of another entity than the relationship leads to.
  public func setRelated(_ key: String, to row: ManagedRow?) throws {
    let context = try requiredContext
    let relationship = try relationship(key, isToMany: false, in: context)
    let member = try row.map { try self.member($0, relationship, in: context) }
    try replace(relationship, with: member.map { [$0] } ?? [], in: context)
  }

  /// Links the row to some others and to nothing else, in their order where the
  /// relationship has one. The ways back follow.
  ///
  /// - Throws: As ``add(_:to:)``.
  public func setRows(_ key: String, to rows: some Sequence<ManagedRow>) throws {
    let context = try requiredContext
    let relationship = try relationship(key, isToMany: true, in: context)
    var seen: Set<Int> = []
    let members = try rows.map { try member($0, relationship, in: context) }
      .filter { seen.insert($0).inserted }
    try replace(relationship, with: members, in: context)
  }

  /// Links another row by a relationship to many, behind all others where it
  /// has an order. Nothing happens where they are linked.
  ///
  /// - Throws: ``StoreError`` as ``rows(_:)``, and where the rows are of
  ///   different contexts, or of another entity than the relationship leads to.
  public func add(_ row: ManagedRow, to key: String) throws {
    try link(row, key, at: nil)
  }

  /// Links another row at a place of an ordered relationship; a row that is
  /// linked moves there. Places beyond the ends are the ends.
  ///
  /// - Throws: As ``add(_:to:)``.
  public func insert(_ row: ManagedRow, into key: String, at position: Int) throws {
    try link(row, key, at: position)
  }

  /// Unlinks a row from a relationship to many. Nothing happens where they are
  /// not linked.
  ///
  /// - Throws: As ``add(_:to:)``.
  public func remove(_ row: ManagedRow, from key: String) throws {
    let context = try requiredContext
    let relationship = try relationship(key, isToMany: true, in: context)
    let member = try member(row, relationship, in: context)
    try change(in: context) {
      try context.prepareLinks(relationship, owners: [handle], members: [member])
      guard context.graph.isLinked(handle, relationship, member) else { return }
      context.graph.unlink(handle, relationship, from: member)
    }
  }

  /// Moves a row of an ordered relationship from one place to another, which
  /// counts the places without the row.
  ///
  /// - Throws: ``StoreError`` as ``rows(_:)``, and where there is no such place.
  public func move(in key: String, from: Int, to: Int) throws {
    let context = try requiredContext
    let relationship = try relationship(key, isToMany: true, in: context)
    try change(in: context) {
      let count = try context.partners(of: handle, relationship).count
      guard relationship.isOrdered, (0..<count).contains(from), (0..<count).contains(to) else {
        throw StoreError(
          .invalidRequest, subject: "`\(entity.name).\(key)`",
          reason: relationship.isOrdered
            ? "there are \(count) rows, none can move from \(from) to \(to)"
            : "the relationship has no order")
      }
      context.graph.move(handle, relationship, from: from, to: to)
    }
  }

  private func link(_ row: ManagedRow, _ key: String, at position: Int?) throws {
    let context = try requiredContext
    let relationship = try relationship(key, isToMany: true, in: context)
    let member = try member(row, relationship, in: context)
    try change(in: context) {
      try context.prepareLinks(relationship, owners: [handle], members: [member])
      guard context.graph.isLinked(handle, relationship, member) else {
        context.graph.link(handle, relationship, to: member, at: position)
        return
      }
      let order = context.graph.partners(of: handle, relationship)
      if relationship.isOrdered, let position, let from = order.firstIndex(of: member) {
        context.graph.move(
          handle, relationship, from: from, to: min(max(0, position), order.count - 1))
      }
    }
  }

  private func replace(
    _ relationship: RelationshipLayout, with members: [Int], in context: EditingContext
  ) throws {
    try change(in: context) {
      try context.prepareLinks(relationship, owners: [handle], members: members)
      let old = context.graph.partners(of: handle, relationship)
      try context.prepareLinks(relationship, owners: [handle], members: old)
      context.graph.replace(handle, relationship, with: members)
    }
  }

  private func member(
    _ row: ManagedRow, _ relationship: RelationshipLayout, in context: EditingContext
  ) throws -> Int {
    let member = try context.handle(of: row)
    guard context.graph[member].entity == relationship.destination else {
      throw StoreError(
        .invalidRequest, subject: "`\(entity.name).\(relationship.name)`",
        reason: "a row of `\(row.entity.name)` cannot be linked,"
          + " expected one of `\(relationship.relationship.destination)`")
    }
    _ = try context.requireValues(member)
    guard context.graph[member].isAlive else {
      throw StoreError(
        .invalidRequest, subject: "\(context.graph[member].identity)",
        reason: "the row is \(row.state), and cannot be linked")
    }
    return member
  }

  private func relationship(
    _ key: String, isToMany: Bool, in context: EditingContext
  ) throws -> RelationshipLayout {
    guard let relationship = context.graph.entity(of: handle).relationship(key),
      relationship.isToMany == isToMany
    else {
      throw StoreError(
        .invalidRequest, subject: "`\(entity.name)`",
        reason: "`\(key)` is no relationship to \(isToMany ? "many" : "one") of the entity")
    }
    return relationship
  }
}
