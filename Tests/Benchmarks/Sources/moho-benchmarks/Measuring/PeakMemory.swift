import Foundation

/// Measures the peak memory of contenders in child processes.
struct PeakMemory {
  /// The arguments that select the workload.
  let arguments: [String]

  /// Returns the peak memory in bytes that a contender adds to a process with
  /// its input, at least 0. `nil` if the system does not report memory.
  func bytes(of contender: Contender) throws -> Int? {
    guard let idle = try peak(of: contender, isIdle: true),
      let busy = try peak(of: contender, isIdle: false)
    else { return nil }
    return max(0, busy - idle)
  }

  private func peak(of contender: Contender, isIdle: Bool) throws -> Int? {
    let own = ["--peak-of", contender.name] + (isIdle ? ["--idle"] : [])
    return try ChildProcess(arguments: arguments + own).output().flatMap { Int($0) }
  }
}
