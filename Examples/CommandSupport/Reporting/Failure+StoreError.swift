import Foundation
import Moho

extension Failure {
  /// What a store's error means to those who sit at a command line.
  public init(_ error: StoreError) {
    let status: ExitStatus =
      switch error.code {
      case .busy: .tryAgain
      case .inputOutput, .full, .damaged: .inputOutput
      default: .cannotCreate
      }
    let advice =
      switch error.code {
      case .notADatabase, .foreignFile, .incompatibleSchema, .wouldLoseData:
        "Choose another file with --store; this one is not changed."
      case .busy:
        "Close the program that uses it and try again, or wait longer with --lock-timeout."
      case .readOnly: "Make the file and its folder writable, or choose another with --store."
      case .cannotOpen:
        "Check that its folder exists and is writable, or choose another with --store."
      case .inputOutput: "Check the disk, and that no other program moves or truncates the file."
      case .full: "Free some space on the disk."
      case .damaged: "Restore the file from a copy, or choose another with --store."
      default: error.suggestion
      }
    var bare = error
    bare.subject = nil
    bare.suggestion = nil
    var (message, details) = ("\(bare)", [String]())
    if error.code == .incompatibleSchema {
      (message, details) = (
        "its tables are not those of this program", error.reason.components(separatedBy: "; ")
      )
    }
    if let subject = error.subject { message = "\(subject): \(message)" }
    self.init(status, message, details: details, advice: advice)
  }
}
