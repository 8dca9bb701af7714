/// Which errors of a document an adapter collects.
public enum ErrorPolicy: Hashable, Sendable {
  /// The errors of all keys of all elements.
  case all
  /// The first error. Decoding stops there: the text after the failed element is
  /// not read, and need not be valid JSON.
  case first
}
