package import MohoMapping

/// The source of a context's rows: a store or a parent context.
package protocol RowSource: AnyObject {
  /// Returns the rows of a request, in its order.
  func fetch(_ request: RowRequest) throws -> [FetchedRow]

  /// Returns the rows with the given identities, in no particular order.
  /// Identities without a row are omitted.
  func rows(of entity: CompiledEntity, _ identities: [RowIdentity]) throws -> [FetchedRow]

  /// Returns the members of a relationship that is not stored in a column, in
  /// order, by the identity of the owner. Owners without members are omitted.
  func members(
    by relationship: CompiledRelationship, of owners: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedMember]]

  /// Returns the rows that a relationship without an inverse links to members, by the identity of
  /// the member. A link table has the links.
  func owners(
    by relationship: CompiledRelationship, of members: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedRow]]

  /// Returns the rows that have one of the given unique keys, in no particular order.
  /// Keys that cannot be stored, such as those with temporary identities, have no row.
  func rows(
    of entity: CompiledEntity, with columns: [UniqueKeyColumn], in keys: [UniqueKey]
  ) throws -> [FetchedRow]
}

/// The values of a row when it was read.
package struct FetchedRow: Sendable {
  package let identity: RowIdentity
  let attributes: [FieldContent]
  /// The identities of the rows that the link columns refer to, by slot.
  let targets: [RowIdentity?]

  package init(identity: RowIdentity, attributes: [FieldContent], targets: [RowIdentity?]) {
    self.identity = identity
    self.attributes = attributes
    self.targets = targets
  }
}

/// A row that a relationship refers to.
package struct FetchedMember: Sendable {
  let row: FetchedRow
  /// The position of the row, if the relationship is ordered.
  let position: Int64?

  package init(row: FetchedRow, position: Int64?) {
    self.row = row
    self.position = position
  }
}
