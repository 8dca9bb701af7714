/// The bytes of the texts and data that are bound to a statement at one time, in
/// memory that is used again for those of the next row: SQLite's own copies
/// would be an allocation each.
final class BoundBytes {
  /// More than the values of most rows. Those that find no room are SQLite's to
  /// copy.
  private static let capacity = 16_384

  private let memory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: BoundBytes.capacity, alignment: 1)
  private var used = 0

  deinit { memory.deallocate() }

  /// A copy of some bytes, which stays until all are forgotten, or nil where
  /// there is no room or nothing to copy.
  // SAFETY: The copy lies within `memory`, behind all that are in use.
  func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard let start = memory.baseAddress, let source = bytes.baseAddress,
      bytes.count <= memory.count - used
    else { return nil }
    let place = start + used
    place.copyMemory(from: source, byteCount: bytes.count)
    used += bytes.count
    return UnsafeRawPointer(place)
  }

  /// Makes all memory free again.
  func forget() { used = 0 }
}
