import Foundation
import Moho

extension Failure {
  /// Describes an error of a store in terms of the command's options.
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
        "Choose another file with --store. This file was not changed."
      case .busy:
        "Close the program that uses it and try again, or use a longer --lock-timeout."
      case .readOnly: "Make the file and its folder writable, or choose another with --store."
      case .cannotOpen:
        "Check that its folder exists and is writable, or choose another with --store."
      case .inputOutput: "Check the disk, and that no other program moves or truncates the file."
      case .full: "Free some space on the disk."
      case .damaged: "Restore the file from a backup, or choose another with --store."
      default: error.suggestion
      }
    var bare = error
    bare.subject = nil
    bare.suggestion = nil
    var (message, details) = ("\(bare)", [String]())
    if error.code == .incompatibleSchema {
      (message, details) = (
        "the tables do not match this program", error.reason.components(separatedBy: "; ")
      )
    }
    if let subject = error.subject { message = "\(subject): \(message)" }
    self.init(status, message, details: details, advice: advice)
  }
}
