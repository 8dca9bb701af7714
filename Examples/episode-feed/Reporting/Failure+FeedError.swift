import CommandSupport
import EpisodeFeed

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
}
