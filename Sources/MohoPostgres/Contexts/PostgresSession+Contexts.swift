import MohoMapping
import MohoRows

extension PostgresSession {
  func fetch(_ request: RowRequest) throws -> [FetchedRow] {
    throw StoreError(.database, reason: "not written yet")
  }

  func rows(of entity: CompiledEntity, _ identities: [RowIdentity]) throws -> [FetchedRow] {
    throw StoreError(.database, reason: "not written yet")
  }

  func members(
    by relationship: CompiledRelationship, of owners: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedMember]] {
    throw StoreError(.database, reason: "not written yet")
  }

  func rows(
    of entity: CompiledEntity, with columns: [UniqueKeyColumn], in keys: [UniqueKey]
  ) throws -> [FetchedRow] { throw StoreError(.database, reason: "not written yet") }

  func newIdentities(of entity: CompiledEntity, count: Int) throws -> [Int64] {
    throw StoreError(.database, reason: "not written yet")
  }

  func save(
    _ plan: ContextPlan, resolvingConflictsBy policy: ConflictPolicy
  ) throws -> [Int: [CellValue]?] { throw StoreError(.database, reason: "not written yet") }
}
