/// The levels that contain the `Codable` value that is being decoded or encoded.
///
/// A model can contain itself through a `.codable` key. The coder of that value does
/// not know the levels around it.
package enum CodingDepth {
  /// The number of levels that a model inside a `Codable` value counts as. A coder takes
  /// 8 KB of the stack for it, four times as much as other nested models.
  private static let weight = 4

  @TaskLocal private static var levels = 0
  @TaskLocal private static var containerCount = 0

  /// The number of levels that contain the value.
  static var current: Int { levels }

  /// The number of objects and arrays that contain the value and are not in the coding path.
  static var containers: Int { containerCount }

  /// Runs a closure that decodes or encodes a `Codable` value.
  ///
  /// - Parameters:
  ///   - depth: The number of levels that contain the value.
  ///   - containers: The number of objects and arrays that contain the value and are not in
  ///     the coding path. By default, those of the value around it.
  package static func within<Result>(
    _ depth: Int, containers: Int? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    try $levels.withValue(depth + weight - 1) {
      guard let containers else { return try body() }
      return try $containerCount.withValue(containers, operation: body)
    }
  }
}
