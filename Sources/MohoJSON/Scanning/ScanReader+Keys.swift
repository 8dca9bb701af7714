/// Whether keys of a text are those of a plan.
extension ScanReader {
  /// Whether the key of an entry is at an offset, in quotes and with its colon.
  @inline(__always)
  func isLiteral(_ entry: Int, at offset: Int) -> Bool {
    plan.entries[entry].isLiteral
      && scanner.pointee.has(
        plan.name(entry), count: Int(plan.entries[entry].length), at: offset)
  }

  /// Whether a key is that of an entry, however it is spelled.
  @inline(__always)
  func isName(_ entry: Int, _ key: Token) -> Bool {
    if key.kind == .escaped { return isEscapedName(entry, key) }
    // From quote to quote: there may be space before the colon.
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
