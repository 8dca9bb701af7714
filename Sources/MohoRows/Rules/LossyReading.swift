package import MohoMapping

/// Reads rows together, and divides those that cannot be read together.
struct LossyReading<Model: MappedModel> {
  private(set) var models: [Model] = []
  private(set) var identities: [RowIdentity] = []
  private(set) var failures: [RowFailure] = []

  private let reader: StoreReader
  private let rows: any ResultReader
  private let limit: Int
  private let entity = Model.mapping.name

  /// - Parameter limit: The number of failures after which no other rows are read.
  init(_ model: Model.Type, _ reader: StoreReader, upTo limit: Int = .max) throws {
    self.reader = reader
    self.limit = limit
    rows = try reader.session.resultReader(
      of: ResolvedRequest(RowRequest(entity), reader.schema), models: Model.self,
      isSectioned: false)
  }

  /// Whether the limit of failures is reached.
  var isFull: Bool { failures.count >= limit }

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
    for half in [rowIDs.prefix(rowIDs.count / 2), rowIDs.dropFirst(rowIDs.count / 2)]
    where !isFull { try read(Array(half)) }
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
