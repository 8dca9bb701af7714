/// Which errors of a document an adapter looks for.
public enum ErrorPolicy: Hashable, Sendable {
  /// Those of all keys of all elements.
  case all
  /// The first one. It ends the reading: what is behind its element is not
  /// looked at, not even for being JSON.
  case first
}
