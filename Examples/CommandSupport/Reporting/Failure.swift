import Foundation
import Moho

/// An error as a command line reports it: what and where, how to mend it, and
/// what the process returns.
public struct Failure: Error {
  /// What the process returns.
  public var status: ExitStatus
  /// What failed, and where.
  public var message: String
  /// More about it, line by line.
  public var details: [String]
  /// How to mend it.
  public var advice: String?

  /// Makes a failure.
  public init(
    _ status: ExitStatus, _ message: String, details: [String] = [], advice: String? = nil
  ) {
    self.status = status
    self.message = message
    self.details = details
    self.advice = advice
  }

  /// Nil of errors that are neither Moho's nor Foundation's.
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
        .tryAgain, "another program has changed what is to be saved",
        details: "\(error)".split(separator: "\n").map(String.init))
    case let error as ResultsError: self.init(.badData, "\(error)")
    case let error as CocoaError: self.init(.inputOutput, error.localizedDescription)
    default: return nil
    }
  }

  /// The same failure of one file.
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
