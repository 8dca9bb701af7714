extension JSONValue: CustomStringConvertible {
  /// The value's JSON text, on one line; `inf`, `-inf` and `nan` for numbers that
  /// have none.
  public var description: String {
    var writer = ValueWriter(formatting: .compact, depth: 0, isLenient: true)
    // Lenient writers do not throw.
    try? writer.append(self)
    return String(decoding: writer.text.bytes, as: UTF8.self)
  }
}

extension JSONValue: CustomReflectable {
  /// A mirror without children, so that values of any number of levels can be
  /// dumped.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
