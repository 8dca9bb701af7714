/// The levels that contain the `Codable` value that is being decoded or encoded.
///
/// A model can contain itself through a `.codable` key. The coder of that value does
/// not know the levels around it.
package enum CodingDepth {
  /// The number of levels that a model inside a `Codable` value counts as. A coder takes
  /// 8 KB of the stack for it, four times as much as other nested models.
  private static let weight = 4

  @TaskLocal private static var levels = 0

  /// The number of levels that contain the value.
  static var current: Int { levels }

  /// Runs a closure that decodes or encodes a `Codable` value.
  ///
  /// - Parameter depth: The number of levels that contain the value.
  package static func within<Result>(
    _ depth: Int, _ body: () throws -> Result
  ) rethrows -> Result {
    try $levels.withValue(depth + weight - 1, operation: body)
  }
}
