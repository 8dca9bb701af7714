import Foundation

/// The memory of this process in bytes; nil where the system does not tell.
enum Memory {
  /// At its peak. Not `getrusage`, whose peak of a child begins with that of its
  /// parent.
  static var peak: Int? { status("VmHWM:") }

  /// Now.
  static var resident: Int? { status("VmRSS:") }

  private static func status(_ name: String) -> Int? {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }
}
