import EpisodeFeed
import Foundation
import Moho

extension Failure {
  init(_ error: FeedError) {
    let (status, advice): (ExitStatus, String) =
      switch error.code {
      case .notJSON:
        (.badData, "Check that the file is complete, or get it anew.")
      case .unknownFormat:
        (
          .badData,
          "Give a JSON Feed (an object whose `version` begins with"
            + " \"https://jsonfeed.org/version/\") or an array of {\"episode\": {…}}."
        )
      case .invalidItems:
        (.badData, "Mend the file, or import its good items with --lossy.")
      case .invalidFeed:
        (.badData, "Mend the file, or get it anew.")
      case .emptyFeed:
        (.badData, "Check that it is the right file: there is nothing to import.")
      case .idTaken:
        (
          .badData,
          "Import the feed into another store with --store, or as that podcast with --podcast."
        )
      case .notWritable:
        (.badData, "Choose the other form with --format.")
      case .noSuchPodcast:
        (.noInput, "See the podcasts with `episode-feed list --sections podcast`.")
      case .severalPodcasts:
        (.usage, "Say which one with --podcast.")
      case .noSuchEpisode:
        (.noInput, "See the ids with `episode-feed list`.")
      default:
        (.badData, "Check the file.")
      }
    self.init(status, error.reason, details: error.details, advice: advice)
    if error.code == .noSuchEpisode { message = "there is no episode \(error.reason)" }
  }

  init(_ error: StoreError) {
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
