package import Foundation
import MohoMapping

extension JSONAdapter {
  /// Creates a scanner of the objects of the models. Nil if they need the diagnostic path.
  func makeScanner() -> ObjectScanner? {
    scanPlan.map { ObjectScanner(mapping.fieldKeys, $0, supplied) }
  }

  /// Calls a function with a scanner of the objects of the models. Nil if they need the
  /// diagnostic path.
  func withScanner<Result>(_ body: (ObjectScanner?) throws -> Result) rethrows -> Result {
    guard let scanner = idleScanners.take() ?? makeScanner() else { return try body(nil) }
    defer {
      scanner.end()
      if scanner.prepareForOtherTexts() { idleScanners.add(scanner) }
    }
    return try body(scanner)
  }

  /// Calls a function with the fields of a text that is one object.
  ///
  /// - Returns: The function's result; nil if the text needs the diagnostic path.
  func scan<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (any FieldDecoder) throws -> Result
  ) -> Result? {
    withScanner { scanner in
      guard let scanner, scanner.scanDocument(bytes), let result = try? body(scanner.fields),
        !scanner.hasGivenUp
      else { return nil }
      return result
    }
  }

  /// Whether the fast path decodes a text of one model.
  package func isScanned(_ data: Data) -> Bool {
    // SAFETY: The bytes are used only inside the call.
    data.withUnsafeBytes { bytes in scan(bytes) { _ = try mapping.model(from: $0) } } != nil
  }

  /// The adapter without the fast path.
  package var withoutFastPath: JSONAdapter {
    var adapter = self
    adapter.scanPlan = nil
    return adapter
  }
}
