import Foundation

/// The memory of this process in bytes. `nil` if the system does not report it.
enum Memory {
  /// The peak of resident memory. `getrusage` is not suitable: for a child
  /// process, it starts with the peak of the parent.
  static var peak: Int? { status("VmHWM:") }

  /// The current resident memory.
  static var resident: Int? { status("VmRSS:") }

  private static func status(_ name: String) -> Int? {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }
}
