import CFloors
import Foundation
import GRDBSQLite
import SimdjsonFloors

/// The hardware and software of a run.
struct Machine {
  let processor: String
  let cores: Int
  let memory: String
  let system: String
  let swift: String
  let sqlite: String
  let jansson: String
  let simdjson: String
  let date: String

  /// One line without the date.
  var description: String {
    "\(processor), \(cores) cores, \(memory); \(system); Swift \(swift), release; "
      + "SQLite \(sqlite); Jansson \(jansson); simdjson \(simdjson)"
  }

  static var current: Machine {
    let information = ProcessInfo.processInfo
    return Machine(
      processor: processor ?? "unknown",
      cores: information.activeProcessorCount,
      memory: "\(information.physicalMemory >> 30) GiB",
      system: information.operatingSystemVersionString,
      swift: output("swift", "--version")?.firstVersion ?? "unknown",
      sqlite: String(cString: sqlite3_libversion()),
      jansson: String(cString: floor_jansson_version()),
      simdjson: String(cString: floor_simdjson_version()),
      date: Date.now.formatted(.iso8601.year().month().day()))
  }

  private static var processor: String? {
    let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix("model name") }
    let name = line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    return name ?? output("sysctl", "-n", "machdep.cpu.brand_string")
  }

  /// Returns the output of a program, or `nil` if it does not exist or fails.
  private static func output(_ arguments: String...) -> String? {
    let child = ChildProcess(arguments)
    child.process.standardError = FileHandle.nullDevice
    return (try? child.output()) ?? nil
  }
}

extension String {
  /// The first version number in the text, such as `6.3.1`.
  fileprivate var firstVersion: String? {
    firstMatch(of: /\d+(\.\d+)+/).map { String($0.output.0) }
  }
}
