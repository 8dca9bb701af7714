/// How deep models lie in each other.
///
/// Reading and writing a model inside another takes a part of the stack, which
/// on threads other than the main one may be 512 KB in all: without a limit, a
/// document could end the program. The limit is that of Rust's `serde_json`.
package enum NestingDepth {
  /// The most models inside each other, the outermost one counted.
  package static let limit = 128

  /// What is expected of models.
  static let expectation = "at most \(limit) levels of models"
}

extension FieldDecoder {
  /// Throws where a model at a key would lie too deep.
  ///
  /// - Parameter depth: How many models lie in each other, that one counted.
  /// - Throws: ``MappingError`` of code ``MappingError/Code/tooDeep``.
  @inline(__always)
  package func checkDepth(_ depth: Int, at index: Int) throws {
    guard depth > NestingDepth.limit else { return }
    throw error(.tooDeep, at: index, expected: NestingDepth.expectation)
  }
}

extension FieldEncoder {
  /// Throws where a model at a key would lie too deep.
  ///
  /// - Parameter depth: How many models lie in each other, that one counted.
  /// - Throws: ``MappingError`` of code ``MappingError/Code/tooDeep``.
  @inline(__always)
  package func checkDepth(_ depth: Int, at index: Int) throws {
    guard depth > NestingDepth.limit else { return }
    throw error(.tooDeep, at: index, expected: NestingDepth.expectation, found: "object")
  }
}
