/// The limit on nested models, arrays and dictionaries.
///
/// Reading and writing nested values is recursive, and the stack of a secondary
/// thread can be as small as 512 KB. Without a limit, a document could crash
/// the program. The limit is that of Rust's `serde_json`.
package enum NestingDepth {
  /// The maximum number of levels, including the outermost model. A model is a
  /// level, and so is an array or dictionary that is directly inside another
  /// one.
  package static let limit = 128

  static let expectation = "at most \(limit) levels of models"
  static let partsExpectation = "at most \(limit) levels of arrays"
}

extension FieldDecoder {
  /// Throws an error if a model at a key is nested too deep.
  ///
  /// - Parameter depth: The number of levels, including that model.
  /// - Throws: ``MappingError`` with code ``MappingError/Code/tooDeep``.
  @inline(__always)
  package func checkDepth(_ depth: Int, at index: Int) throws {
    guard depth > NestingDepth.limit else { return }
    throw error(.tooDeep, at: index, expected: NestingDepth.expectation)
  }

  /// Returns the number of levels that an array or dictionary at a key is part
  /// of.
  ///
  /// - Parameters:
  ///   - depth: The number of levels that contain it.
  ///   - isPart: Whether it is directly inside an array or dictionary.
  /// - Throws: ``MappingError`` with code ``MappingError/Code/tooDeep``.
  @inline(__always)
  package func depth(ofPartsIn depth: Int, isPart: Bool, at index: Int) throws -> Int {
    if !isPart { return depth }
    guard depth >= NestingDepth.limit else { return depth + 1 }
    throw error(.tooDeep, at: index, expected: NestingDepth.partsExpectation)
  }
}

extension FieldEncoder {
  /// Throws an error if a model at a key is nested too deep.
  ///
  /// - Parameter depth: The number of levels, including that model.
  /// - Throws: ``MappingError`` with code ``MappingError/Code/tooDeep``.
  @inline(__always)
  package func checkDepth(_ depth: Int, at index: Int) throws {
    guard depth > NestingDepth.limit else { return }
    throw error(.tooDeep, at: index, expected: NestingDepth.expectation, found: "object")
  }

  /// Returns the number of levels that an array or dictionary at a key is part
  /// of.
  ///
  /// - Parameters:
  ///   - depth: The number of levels that contain it.
  ///   - isPart: Whether it is directly inside an array or dictionary.
  ///   - found: The array or dictionary, for errors.
  /// - Throws: ``MappingError`` with code ``MappingError/Code/tooDeep``.
  @inline(__always)
  package func depth(
    ofPartsIn depth: Int, isPart: Bool, at index: Int, _ found: StaticString
  ) throws -> Int {
    if !isPart { return depth }
    guard depth >= NestingDepth.limit else { return depth + 1 }
    throw error(.tooDeep, at: index, expected: NestingDepth.partsExpectation, found: "\(found)")
  }
}
