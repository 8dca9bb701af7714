import Foundation
import Moho

/// Brings banks from documents into a store.
public struct BankImporter {
  private let store: ModelStore

  /// Makes an importer.
  public init(_ store: ModelStore) { self.store = store }

  /// A small document of invented banks.
  public static var sample: Data { Data(PackageResources.banks_json) }

  /// Imports an array of banks: those that are known are updated.
  ///
  /// - Throws: `JSONError`, `MappingError` with all that is wrong; `StoreError`.
  ///   Nothing is imported then.
  @discardableResult
  public func `import`(_ data: Data) throws -> SaveReport {
    var banks = try JSONAdapter<FailedBank>().models(from: data)
    for index in banks.indices {
      banks[index].details.cert = banks[index].cert
      banks[index].details.close(on: banks[index].details.closedOn)
    }
    return try store.write { try $0.save(banks) }
  }

  /// Gives a bank another day on which it was closed.
  ///
  /// - Returns: Whether there is such a bank.
  /// - Throws: `StoreError`.
  public func close(_ cert: Int, on day: Date) throws -> Bool {
    try store.write { writer in
      let request = ModelRequest<BankDetails>().filter { $0.cert == cert }
      guard var details = try writer.reader.first(request) else { return false }
      details.close(on: day)
      try writer.save(details)
      return true
    }
  }
}
