import MohoMapping
import MohoRows

extension PostgresSession {
  func resultReader(
    of request: RowRequest, models model: (any MappedModel.Type)?, isSectioned: Bool
  ) throws -> any ResultReader { throw StoreError(.database, reason: "not written yet") }

  func fingerprints(of rowIDs: [Int64], in table: CompiledTable) throws -> [Int64: [UInt64]] {
    throw StoreError(.database, reason: "not written yet")
  }

  func integers(
    _ column: String, in table: String, where other: String, isIn values: Set<Int64>
  ) throws -> Set<Int64> { throw StoreError(.database, reason: "not written yet") }

  func unreportedRows(in table: String) throws -> RowWriteSet? { nil }
}
