extension JSONValue: CustomStringConvertible {
  /// The value's JSON text on one line, with `inf`, `-inf` and `nan` for numbers that JSON
  /// cannot represent.
  public var description: String {
    var writer = ValueWriter(formatting: .compact, depth: 0, isLenient: true)
    // Lenient writers do not throw.
    try? writer.append(self)
    return String(decoding: writer.text.bytes, as: UTF8.self)
  }
}

extension JSONValue: CustomReflectable {
  /// A mirror without children, so that `dump` does not recurse into deep values.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
