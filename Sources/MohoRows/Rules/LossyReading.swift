package import MohoMapping

/// Reads rows together, and divides those that cannot be read together.
struct LossyReading<Model: MappedModel> {
  private(set) var models: [Model] = []
  private(set) var identities: [RowIdentity] = []
  private(set) var failures: [RowFailure] = []

  private let reader: StoreReader
  private let rows: any ResultReader
  private let entity = Model.mapping.name

  init(_ model: Model.Type, _ reader: StoreReader) throws {
    self.reader = reader
    rows = try reader.session.resultReader(
      of: RowRequest(entity), models: Model.self, isSectioned: false)
  }

  /// Reads rows in a given order.
  mutating func read(_ rowIDs: [Int64]) throws {
    do {
      let found = try rows.models(of: Model.self, rowIDs: rowIDs, reader)
      let byID = Dictionary(
        zip(found.rowIDs, found.models), uniquingKeysWith: { one, _ in one })
      for rowID in rowIDs {
        guard let model = byID[rowID] else { continue }
        models.append(model)
        identities.append(RowIdentity(entity: entity, stored: rowID))
      }
    } catch let error as MappingError {
      try divide(rowIDs, error)
    } catch let error as StoreError where error.code == .cycle {
      try divide(rowIDs, MappingError(.invalidValue, model: entity, underlying: error))
    }
  }

  private mutating func divide(_ rowIDs: [Int64], _ error: MappingError) throws {
    guard rowIDs.count > 1 else {
      for rowID in rowIDs {
        failures.append(RowFailure(RowIdentity(entity: entity, stored: rowID), error))
      }
      return
    }
    try read(Array(rowIDs.prefix(rowIDs.count / 2)))
    try read(Array(rowIDs.dropFirst(rowIDs.count / 2)))
  }
}

extension [Int64] {
  /// The elements in arrays of at most 500.
  var batches: some Sequence<[Int64]> {
    stride(from: 0, to: count, by: 500).lazy.map { Array(self[$0..<Swift.min($0 + 500, count)]) }
  }
}

extension MappingError {
  /// The error with the row that could not be read.
  package func naming(_ identity: RowIdentity) -> MappingError {
    naming(row: "\(identity)")
  }
}
