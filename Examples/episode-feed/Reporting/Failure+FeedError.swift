import CommandSupport
import EpisodeFeed

extension Failure {
  init(_ error: FeedError) {
    let (status, advice): (ExitStatus, String) =
      switch error.code {
      case .compressed:
        (.badData, "Import the decompressed file, or decompress it to `episode-feed import -`.")
      case .notJSON, .notXML:
        (.badData, "Check that the file is complete, or download it again.")
      case .unknownFormat:
        (
          .badData,
          "Use RSS, Atom, a JSON Feed (an object whose `version` begins with"
            + " \"https://jsonfeed.org/version/\") or an array of {\"episode\": {…}}."
        )
      case .invalidItems:
        (.badData, "Correct the file, or import what is valid without --strict.")
      case .invalidFeed:
        (.badData, "Correct the file, or download it again.")
      case .emptyFeed:
        (.badData, "Check that the file is the right one.")
      case .notWritable:
        (.badData, "Choose another format with --format.")
      case .noSuchPodcast:
        (.noInput, "Use `episode-feed list --sections podcast` to see the podcasts.")
      case .noSuchFeed:
        (.noInput, "Use `episode-feed feeds` to see the remembered feeds.")
      case .severalPodcasts, .severalEpisodes:
        (.usage, "Choose one with --podcast.")
      case .invalidEdit:
        (.badData, "Choose another value.")
      case .noSuchEpisode:
        (.noInput, "Use `episode-feed list` to see the ids.")
      default:
        (.badData, "Check the file.")
      }
    self.init(status, error.reason, details: error.details, advice: advice)
    if error.code == .noSuchEpisode { message = "episode \(error.reason) does not exist" }
  }
}
