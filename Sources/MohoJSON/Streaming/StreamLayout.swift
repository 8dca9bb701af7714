public import MohoMapping

/// How a stream holds its elements.
public enum StreamLayout: Hashable, Sendable {
  /// The text is an array.
  case rootArray
  /// The text holds an array at a path.
  case array(at: FieldPath)
  /// Each line of the text is an element (NDJSON). Blank lines are none.
  case lines
}
