import Foundation

/// A collator of ICU, which is part of Foundation on Linux.
///
/// Foundation compares texts with ICU, but has no sort keys. Comparing takes
/// several microseconds, and sorting compares each text many times. The
/// functions are looked up at run time, because they are not part of the public
/// API of Foundation.
// `@unchecked`: ICU's collators can be used by several threads if none of them
// changes their attributes. The attributes are set in the initializer.
final class ICUCollator: @unchecked Sendable {
  private let collator: OpaquePointer
  private let functions: Functions

  /// Creates a collator.
  ///
  /// - Returns: Nil if the process has no ICU of Foundation, or if its functions do not do
  ///   what they are known to do.
  init?(_ collation: TextCollation) {
    guard let functions = Functions.shared else { return nil }
    var status: Int32 = 0
    var opened = functions.open(collation.localeIdentifier, &status)
    if opened == nil {
      // The identifier is invalid. The root locale has the order of Unicode.
      status = 0
      opened = functions.open("", &status)
    }
    guard let collator = opened else { return nil }
    let on: Int32 = 17  // UCOL_ON
    functions.setAttribute(collator, 4, on, &status)  // UCOL_NORMALIZATION_MODE
    if collation.comparesNumbers {
      functions.setAttribute(collator, 7, on, &status)  // UCOL_NUMERIC_COLLATION
    }
    // Negative codes are warnings, such as for a locale without its own order.
    guard status <= 0 else {
      functions.close(collator)
      return nil
    }
    self.collator = collator
    self.functions = functions
    guard areInOrder("a", "b"), !collation.comparesNumbers || areInOrder("2", "10") else {
      return nil
    }
  }

  /// Whether the sort key of a text precedes that of another one.
  private func areInOrder(_ one: String, _ other: String) -> Bool {
    let (one, other) = (sortKey(of: one), sortKey(of: other))
    return one.last == 0 && one.lexicographicallyPrecedes(other)
  }

  deinit { functions.close(collator) }

  /// Returns the sort key of a text, which ends with a zero and contains no
  /// other zero.
  func sortKey(of text: String) -> [UInt8] {
    let units = Array(text.utf16)
    var capacity = units.count * 4 + 32
    while true {
      var length = 0
      // SAFETY: ICU reads `units.count` code units, writes at most `capacity`
      // bytes, and returns the length of the complete key.
      let key = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        length = Int(
          functions.sortKey(
            collator, units, Int32(clamping: units.count), buffer.baseAddress,
            Int32(clamping: capacity)))
        count = min(max(length, 0), capacity)
      }
      if length <= capacity { return key }
      capacity = length
    }
  }
}

extension ICUCollator {
  /// The functions of ICU.
  private struct Functions {
    typealias Open =
      @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Int32>) ->
      OpaquePointer?
    typealias SetAttribute =
      @convention(c) (
        OpaquePointer, Int32, Int32, UnsafeMutablePointer<Int32>
      ) -> Void
    typealias SortKey =
      @convention(c) (
        OpaquePointer, UnsafePointer<UInt16>?, Int32, UnsafeMutablePointer<UInt8>?, Int32
      ) -> Int32
    typealias Close = @convention(c) (OpaquePointer) -> Void

    let open: Open
    let setAttribute: SetAttribute
    let sortKey: SortKey
    let close: Close

    static let shared = Functions()

    private init?() {
      #if os(Linux)
        func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(nil, "swift_ucol_" + name) }
        guard let open = symbol("open"), let setAttribute = symbol("setAttribute"),
          let sortKey = symbol("getSortKey"), let close = symbol("close")
        else { return nil }
        // SAFETY: The types are those of ICU's `ucol.h`, which are stable.
        self.open = unsafeBitCast(open, to: Open.self)
        self.setAttribute = unsafeBitCast(setAttribute, to: SetAttribute.self)
        self.sortKey = unsafeBitCast(sortKey, to: SortKey.self)
        self.close = unsafeBitCast(close, to: Close.self)
      #else
        return nil
      #endif
    }
  }
}
