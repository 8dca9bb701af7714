import Foundation

/// Reads the events of a test process.
struct TestWatcher {
  private(set) var failure: String?
  /// The times of the tests that passed, by name.
  private(set) var passed: [String: Double] = [:]
  /// Whether the process did not end in time.
  private(set) var isLate = false
  /// Whether all tests ended.
  private(set) var hasEnded = false
  private(set) var output = ""
  private var running: [String: Int] = [:]
  private var rest: [UInt8] = []

  /// The tests that have started and not ended.
  var runningTests: [String] { running.filter { $0.value > 0 }.keys.sorted() }

  /// Reads until the process ends, or fails, or the time is over.
  mutating func read(
    _ file: Int32, until end: ContinuousClock.Instant, while isRunning: () -> Bool,
    stopsAtFailure: Bool
  ) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      guard ContinuousClock.now < end else {
        isLate = true
        return
      }
      // Other processes may have the pipe open after the tests have ended.
      let wasRunning = isRunning()
      var polled = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 50) > 0 else {
        if wasRunning { continue }
        return
      }
      let count = Foundation.read(file, &buffer, buffer.count)
      guard count > 0 else { return }
      rest += buffer.prefix(count)
      while let index = rest.firstIndex(of: UInt8(ascii: "\n")) {
        add(String(decoding: rest[..<index], as: UTF8.self))
        rest.removeSubrange(...index)
      }
      if failure != nil, stopsAtFailure { return }
    }
  }

  private mutating func add(_ line: String) {
    let line = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    if output.utf8.count < 200_000 { output += line + "\n" }
    guard line.contains("Test ") else { return }
    if let match = line.firstMatch(of: /^\S+ +Test (.+) recorded an issue/) {
      // The file distinguishes tests with equal names.
      let file = line.firstMatch(of: /\bat (\w+\.swift):\d+:\d+/).map { " in \($0.1)" } ?? ""
      if failure == nil { failure = "`\(match.1)`\(file)" }
    } else if let match = line.firstMatch(of: /^\S+ +Test ((?!case |run ).+) started\.$/) {
      running["`\(match.1)`", default: 0] += 1
    } else if line.contains("Test run with ") {
      hasEnded = line.contains(" after ")
    } else if let match = line.firstMatch(
      of: /^\S+ +Test (.+?)(?: with \d+ test cases?)? (passed|failed) after ([0-9.]+) seconds/)
    {
      running["`\(match.1)`", default: 0] -= 1
      passed[String(match.1), default: 0] += Double(match.3) ?? 0
    }
  }
}
