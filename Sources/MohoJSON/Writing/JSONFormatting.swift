/// How written JSON is laid out.
public enum JSONFormatting: Hashable, Sendable {
  /// On one line, without spaces.
  case compact
  /// A line for each member and element, indented by two spaces a level.
  case pretty
}
