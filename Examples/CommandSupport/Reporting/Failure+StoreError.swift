import Foundation
import Moho

extension Failure {
  /// Describes an error of a store in terms of the command's options. The
  /// subject decides whether the store is a database of a server.
  public init(_ error: StoreError) {
    self.init(error, isOfServer: StoreLocation.isServer(error.subject ?? ""))
  }

  /// Describes an error of a store in terms of the command's options.
  ///
  /// - Parameter isOfServer: Whether the store is a database of a server.
  public init(_ error: StoreError, isOfServer: Bool) {
    let status: ExitStatus =
      switch error.code {
      case .invalidConnectionString: .usage
      case .storeNotFound: .noInput
      case .cannotConnect, .connectionLost, .commitUnknown: .unavailable
      case .accessDenied: .noPermission
      case .busy, .conflict: .tryAgain
      case .inputOutput, .full, .damaged: .inputOutput
      default: .cannotCreate
      }
    let advice =
      switch error.code {
      case .incompatibleSchema where isOfServer:
        "Choose another database or PostgreSQL schema with --store, such as"
          + " `options=-csearch_path%3Dfeeds`. The tables were not changed."
      case .busy where isOfServer && error.reason.contains("lock timeout"):
        "Close the program that uses it and try again, or use a longer --lock-timeout."
      case _ where isOfServer:
        error.suggestion.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
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
