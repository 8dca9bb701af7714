import Foundation
import Moho

/// Imports banks into a store.
public struct BankImporter {
  private let store: ModelStore

  /// Creates an importer.
  public init(_ store: ModelStore) { self.store = store }

  /// A small document with fictional banks.
  public static var sample: Data { Data(PackageResources.banks_json) }

  /// Imports an array of banks. Banks that are in the store are updated.
  ///
  /// - Throws: `JSONError`, `MappingError` with all mistakes, or `StoreError`.
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

  /// Changes the closing date of a bank.
  ///
  /// - Returns: Whether the bank exists.
  /// - Throws: `StoreError`.
  public func close(_ cert: Int, on day: Date) throws -> Bool {
    try store.write { writer in
      let request = ModelRequest<BankDetails>().filter { $0.cert == cert }
      guard var details = try writer.reader.fetchFirst(request) else { return false }
      details.close(on: day)
      try writer.save(details)
      return true
    }
  }
}
