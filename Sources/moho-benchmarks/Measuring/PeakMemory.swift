import Foundation

/// Measures the memory of contenders in processes of their own.
struct PeakMemory {
  /// The options that make this program run one contender only.
  let arguments: [String]

  /// The bytes that a contender adds, at its peak, to a process that holds its
  /// input; nil where the system does not tell.
  func bytes(of contender: Contender) throws -> Int? {
    guard let idle = try peak(of: contender, isIdle: true),
      let busy = try peak(of: contender, isIdle: false)
    else { return nil }
    return busy - idle
  }

  private func peak(of contender: Contender, isIdle: Bool) throws -> Int? {
    let own = ["--peak-of", contender.name] + (isIdle ? ["--idle"] : [])
    return try ChildProcess(arguments: arguments + own).output().flatMap { Int($0) }
  }
}
