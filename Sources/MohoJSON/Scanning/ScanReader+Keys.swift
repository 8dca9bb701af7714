/// Whether keys of a text are those of a plan.
extension ScanReader {
  /// Whether the key of an entry and a quote are at an offset.
  @inline(__always)
  func isLiteral(_ entry: Int, at offset: Int) -> Bool {
    plan.entries[entry].isLiteral
      && scanner.pointee.has(
        plan.name(entry), count: Int(plan.entries[entry].length), at: offset)
  }

  /// Whether a key is that of an entry, however it is spelled.
  @inline(__always)
  func isName(_ entry: Int, _ key: Token) -> Bool {
    key.kind == .escaped ? isEscapedName(entry, key) : isLiteral(entry, at: Int(key.start))
  }

  @inline(never)
  private func isEscapedName(_ entry: Int, _ key: Token) -> Bool {
    let key = scanner.pointee.text(key)
    let name = UnsafeRawBufferPointer(
      start: plan.name(entry), count: Int(plan.entries[entry].length) - 1)
    return name.elementsEqual(key)
  }
}
