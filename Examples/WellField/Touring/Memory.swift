import Foundation

/// The memory of this process.
public enum Memory {
  /// The resident memory in bytes; nil on systems other than Linux.
  public static var resident: Int? {
    #if os(Linux)
      // The second number of `/proc/self/statm` counts pages (proc(5)).
      guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii) else {
        return nil
      }
      let numbers = text.split(separator: " ")
      guard numbers.count > 1, let pages = Int(numbers[1]) else { return nil }
      return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    #else
      return nil
    #endif
  }
}
