/// Comparing the keys of a text with those of a plan.
extension ScanFieldDecoder {
  /// Whether the key of an entry, in quotes and with a colon, is at an offset.
  @inline(__always)
  func isLiteral(_ entry: Int, at offset: Int) -> Bool {
    plan.entries[entry].isLiteral
      && scanner.pointee.has(
        plan.name(entry), count: Int(plan.entries[entry].length), at: offset)
  }

  /// Whether a key is that of an entry, with or without escape sequences.
  @inline(__always)
  func isName(_ entry: Int, _ key: Token) -> Bool {
    if key.kind == .escaped { return isEscapedName(entry, key) }
    // From quote to quote: whitespace may precede the colon.
    return plan.entries[entry].isLiteral
      && scanner.pointee.has(
        plan.name(entry), count: Int(plan.entries[entry].length) - 1, at: Int(key.start) - 1)
  }

  @inline(never)
  private func isEscapedName(_ entry: Int, _ key: Token) -> Bool {
    let key = scanner.pointee.text(key)
    let name = UnsafeRawBufferPointer(
      start: plan.name(entry) + 1, count: Int(plan.entries[entry].length) - 3)
    return name.elementsEqual(key)
  }
}
