/// The limit on nested models.
///
/// Reading and writing nested models is recursive, and the stack of a secondary
/// thread can be as small as 512 KB. Without a limit, a document could crash
/// the program. The limit is that of Rust's `serde_json`.
package enum NestingDepth {
  /// The maximum number of nested models, including the outermost one.
  package static let limit = 128

  static let expectation = "at most \(limit) levels of models"
}

extension FieldDecoder {
  /// Throws an error if a model at a key is nested too deep.
  ///
  /// - Parameter depth: The number of nested models, including that model.
  /// - Throws: ``MappingError`` with code ``MappingError/Code/tooDeep``.
  @inline(__always)
  package func checkDepth(_ depth: Int, at index: Int) throws {
    guard depth > NestingDepth.limit else { return }
    throw error(.tooDeep, at: index, expected: NestingDepth.expectation)
  }
}

extension FieldEncoder {
  /// Throws an error if a model at a key is nested too deep.
  ///
  /// - Parameter depth: The number of nested models, including that model.
  /// - Throws: ``MappingError`` with code ``MappingError/Code/tooDeep``.
  @inline(__always)
  package func checkDepth(_ depth: Int, at index: Int) throws {
    guard depth > NestingDepth.limit else { return }
    throw error(.tooDeep, at: index, expected: NestingDepth.expectation, found: "object")
  }
}
