import Foundation
import Moho

/// An error as a command reports it: what failed, how to fix it, and the exit
/// status of the process.
public struct Failure: Error, CustomStringConvertible {
  /// The exit status of the process.
  public var status: ExitStatus
  /// What failed, and where.
  public var message: String
  /// Further lines, such as a list of all mistakes.
  public var details: [String]
  /// How to fix it.
  public var advice: String?

  /// Creates a failure.
  public init(
    _ status: ExitStatus, _ message: String, details: [String] = [], advice: String? = nil
  ) {
    self.status = status
    self.message = message
    self.details = details
    self.advice = advice
  }

  /// Describes an error of Moho or Foundation; nil for other errors.
  public init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as StoreError: self.init(error)
    case let error as MappingError:
      self.init(
        .badData, "the store has a row that cannot be read",
        details: error.errors.map { "\($0)" },
        advice: "Correct the row, or choose another store with --store.")
    case let error as ConflictError:
      self.init(
        .tryAgain, "another program has changed the same rows",
        details: "\(error)".split(separator: "\n").map(String.init))
    case let error as ResultsError: self.init(.badData, "\(error)")
    case let error as CocoaError: self.init(.inputOutput, error.localizedDescription)
    default: return nil
    }
  }

  /// The message, and the details on a line each.
  public var description: String { ([message] + details).joined(separator: "\n") }

  /// The failure with the name of a file before its message.
  public func naming(_ file: String) -> Failure {
    var failure = self
    failure.message = "\(file): \(message)"
    return failure
  }

  /// Writes the failure to standard error.
  public func report() {
    let limit = 20
    var lines = ["Error: \(message)"] + details.prefix(limit).map { "  \($0)" }
    if details.count > limit { lines.append("  … and \(details.count - limit) more") }
    if let advice { lines.append(advice) }
    Output.note(lines)
  }
}

/// The exit status of a process, by the conventions of `sysexits.h`.
public enum ExitStatus: Int32, Sendable {
  /// The command-line arguments are invalid.
  case usage = 64
  /// The input, or the data to write, is invalid.
  case badData = 65
  /// The file, store or item does not exist or cannot be read.
  case noInput = 66
  /// A server cannot be reached, or the connection to it was lost.
  case unavailable = 69
  /// The store cannot be opened, or a file cannot be written.
  case cannotCreate = 73
  /// The disk failed.
  case inputOutput = 74
  /// Another program has locked the store or changed the same data.
  case tryAgain = 75
  /// A server refuses the user, or the user lacks a right.
  case noPermission = 77
}
