public import MohoMapping

/// An element of a stream: its model, or its error.
public struct StreamedElement<Model> {
  /// The index of the element in its array, or among the lines that are not blank.
  public let index: Int
  /// The model, or all keys that failed, each with its position in the stream.
  public let result: Result<Model, MappingError>

  /// The model.
  ///
  /// - Throws: `MappingError` with all keys that failed.
  public var model: Model {
    get throws { try result.get() }
  }
}

extension StreamedElement: Sendable where Model: Sendable {}

/// The layout of a stream's elements.
public enum StreamLayout: Hashable, Sendable {
  /// The text is an array.
  case rootArray
  /// The text contains an array at a path.
  case array(at: FieldPath)
  /// Each line of the text is an element (NDJSON). Blank lines are skipped.
  case lines

  /// The path of the array; nil for lines.
  var arrayPath: FieldPath? {
    switch self {
    case .rootArray: FieldPath([])
    case .array(let path): path
    case .lines: nil
    }
  }
}
