/// How an adapter writes a key whose value is nil.
public enum NullPolicy: Hashable, Sendable {
  /// The key is left out, and so are objects and arrays that hold nothing else.
  ///
  /// A key that has a default is written as null all the same: left out, it
  /// would read back as the default.
  case omit
  /// The key is written as null.
  case null
}
