public import MohoMapping

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
