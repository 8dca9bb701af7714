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
        "Choose another file with --store; this one is left as it is."
      case .busy:
        "Close the program that holds it and try again, or wait longer with --lock-timeout."
      case .readOnly: "Make the file and its folder writable, or choose another with --store."
      case .cannotOpen:
        "Check that its folder exists and is writable, or choose another with --store."
      case .inputOutput: "Check the disk: it is damaged."
      case .full: "Make room on the disk."
      case .damaged: "Restore the file from a copy, or choose another with --store."
      default: error.suggestion
      }
    var bare = error
    bare.subject = nil
    bare.suggestion = nil
    var (message, details) = ("\(bare)", [String]())
    if error.code == .incompatibleSchema {
      (message, details) = (
        "it has other tables than this program's", error.reason.components(separatedBy: "; ")
      )
    }
    if let subject = error.subject { message = "\(subject): \(message)" }
    self.init(status, message, details: details, advice: advice)
  }
}
