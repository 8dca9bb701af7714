extension ManagedRow {
  /// Returns the row of a to-one relationship, or nil if there is no related
  /// row.
  ///
  /// - Throws: A ``StoreError`` if the entity does not have the to-one
  ///   relationship, or if the row cannot be read.
  public func relatedRow(_ key: String) throws -> ManagedRow? {
    let context = try requiredContext
    let relationship = try relationship(key, isToMany: false, in: context)
    let partners = try context.partners(of: handle, relationship)
    context.endReading()
    return partners.first.map { context.row($0) }
  }

  /// Returns the rows of a to-many relationship, in their order. Rows of an
  /// unordered relationship are sorted as ``EditingContext/fetch(_:)-(String)``
  /// sorts them.
  ///
  /// - Throws: A ``StoreError`` if the entity does not have the to-many
  ///   relationship, or if the row cannot be read.
  /// - Complexity: One statement for up to 500 rows that were fetched together.
  ///   Later calls for the other rows of the batch need no statement.
  public func relatedRows(_ key: String) throws -> [ManagedRow] {
    let context = try requiredContext
    let relationship = try relationship(key, isToMany: true, in: context)
    var partners = try context.partners(of: handle, relationship)
    context.endReading()
    if !relationship.isOrdered { partners = context.sortedByIdentity(partners) }
    return partners.map { context.row($0) }
  }

  /// Sets or removes the row of a to-one relationship. The inverse relationship
  /// is updated.
  ///
  /// - Throws: The errors of ``relatedRow(_:)``, and a ``StoreError`` if the rows
  ///   belong to different contexts or if `row` does not have the entity of the
  ///   relationship.
  public func setRelatedRow(_ key: String, to row: ManagedRow?) throws {
    let context = try requiredContext
    let relationship = try relationship(key, isToMany: false, in: context)
    let member = try row.map { try self.member($0, relationship, in: context) }
    try replace(relationship, with: member.map { [$0] } ?? [], in: context)
  }

  /// Replaces the rows of a to-many relationship. An ordered relationship takes
  /// the order of `rows`. The inverse relationships are updated.
  ///
  /// - Throws: The errors of ``add(_:to:)``.
  public func setRelatedRows(_ key: String, to rows: some Sequence<ManagedRow>) throws {
    let context = try requiredContext
    let relationship = try relationship(key, isToMany: true, in: context)
    var seen: Set<Int> = []
    let members = try rows.map { try member($0, relationship, in: context) }
      .filter { seen.insert($0).inserted }
    try replace(relationship, with: members, in: context)
  }

  /// Adds a row to a to-many relationship, at the end if the relationship is
  /// ordered. Does nothing if the row is already linked.
  ///
  /// - Throws: The errors of ``relatedRows(_:)``, and a ``StoreError`` if the rows
  ///   belong to different contexts or if `row` does not have the entity of the
  ///   relationship.
  public func add(_ row: ManagedRow, to key: String) throws {
    try link(row, key, at: nil)
  }

  /// Inserts a row into an ordered relationship at a position. A row that is
  /// already linked moves to the position. Positions out of bounds are clamped.
  ///
  /// - Throws: The errors of ``add(_:to:)``.
  public func insert(_ row: ManagedRow, into key: String, at position: Int) throws {
    try link(row, key, at: position)
  }

  /// Removes a row from a to-many relationship. Does nothing if the row is not
  /// linked.
  ///
  /// - Throws: The errors of ``add(_:to:)``.
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

  /// Moves a row of an ordered relationship. `to` is the position of the row
  /// after the move.
  ///
  /// - Throws: The errors of ``relatedRows(_:)``, and a ``StoreError`` if a position
  ///   is out of bounds or if the relationship is not ordered.
  public func move(in key: String, from: Int, to: Int) throws {
    let context = try requiredContext
    let relationship = try relationship(key, isToMany: true, in: context)
    try change(in: context) {
      let count = try context.partners(of: handle, relationship).count
      guard relationship.isOrdered, (0..<count).contains(from), (0..<count).contains(to) else {
        throw StoreError(
          .invalidRequest, subject: "`\(entity.name).\(key)`",
          reason: relationship.isOrdered
            ? "cannot move from \(from) to \(to): the relationship has \(count) rows"
            : "the relationship is not ordered")
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
    _ relationship: CompiledRelationship, with members: [Int], in context: EditingContext
  ) throws {
    try change(in: context) {
      try context.prepareLinks(relationship, owners: [handle], members: members)
      let old = context.graph.partners(of: handle, relationship)
      try context.prepareLinks(relationship, owners: [handle], members: old)
      context.graph.replace(handle, relationship, with: members)
    }
  }

  private func member(
    _ row: ManagedRow, _ relationship: CompiledRelationship, in context: EditingContext
  ) throws -> Int {
    let member = try context.handle(of: row)
    guard context.graph[member].entity == relationship.destination else {
      throw StoreError(
        .invalidRequest, subject: "`\(entity.name).\(relationship.name)`",
        reason: "cannot link a row of `\(row.entity.name)`,"
          + " expected `\(relationship.relationship.destination)`")
    }
    _ = try context.requireValues(member)
    guard context.graph[member].isAlive else {
      throw StoreError(
        .invalidRequest, subject: "\(context.graph[member].identity)",
        reason: "cannot link the row: it is \(row.state)")
    }
    return member
  }

  private func relationship(
    _ key: String, isToMany: Bool, in context: EditingContext
  ) throws -> CompiledRelationship {
    guard let relationship = context.graph.entity(of: handle).relationship(key),
      relationship.isToMany == isToMany
    else {
      throw StoreError(
        .invalidRequest, subject: "`\(entity.name)`",
        reason: "`\(key)` is not a to-\(isToMany ? "many" : "one") relationship of the entity")
    }
    return relationship
  }
}
