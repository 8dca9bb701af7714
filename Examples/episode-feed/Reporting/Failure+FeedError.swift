import CommandSupport
import EpisodeFeed

extension Failure {
  init(_ error: FeedError) {
    let (status, advice): (ExitStatus, String) =
      switch error.code {
      case .notJSON:
        (.badData, "Check that the file is complete, or download it again.")
      case .unknownFormat:
        (
          .badData,
          "Give a JSON Feed (an object whose `version` begins with"
            + " \"https://jsonfeed.org/version/\") or an array of {\"episode\": {…}}."
        )
      case .invalidItems:
        (.badData, "Correct the file, or import its valid items with --lossy.")
      case .invalidFeed:
        (.badData, "Correct the file, or download it again.")
      case .emptyFeed:
        (.badData, "Check that it is the right file.")
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
        (.usage, "Choose one with --podcast.")
      case .invalidEdit:
        (.badData, "Give another value.")
      case .noSuchEpisode:
        (.noInput, "See the ids with `episode-feed list`.")
      default:
        (.badData, "Check the file.")
      }
    self.init(status, error.reason, details: error.details, advice: advice)
    if error.code == .noSuchEpisode { message = "there is no episode \(error.reason)" }
  }
}
