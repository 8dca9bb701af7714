import MohoMapping

/// The source of a context that has too many ancestors. It has no rows.
///
/// A context reads through its ancestors and retains them, which is recursive.
final class RefusingSource: RowSource {
  static let error = StoreError(
    .invalidRequest,
    reason: "contexts are nested more than \(NestingDepth.limit) levels deep",
    suggestion: "create a child of a context that is nested less deep")

  func fetch(_ request: RowRequest) throws -> [FetchedRow] { throw Self.error }

  func rows(of entity: CompiledEntity, _ identities: [RowIdentity]) throws -> [FetchedRow] {
    throw Self.error
  }

  func members(
    by relationship: CompiledRelationship, of owners: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedMember]] { throw Self.error }

  func owners(
    by relationship: CompiledRelationship, of members: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedRow]] { throw Self.error }

  func rows(
    of entity: CompiledEntity, with columns: [UniqueKeyColumn], in keys: [UniqueKey]
  ) throws -> [FetchedRow] { throw Self.error }
}
