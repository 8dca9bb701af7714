import CommandSupport
import EpisodeFeed
import Foundation
import Moho
import MohoPostgres

extension Failure {
  init(_ error: FetchError) {
    let status: ExitStatus =
      switch error.code {
      case .invalidURL: .usage
      case .tooLarge: .badData
      default: error.isTemporary ? .tryAgain : .noInput
      }
    self.init(status, error.reason, advice: error.advice)
    self = naming(error.url.absoluteString)
  }

  init(_ error: FeedLocationError) {
    self.init(
      .usage, "\(error)",
      advice: "Use the path of a file, a URL such as file:///home/ada/feed.xml, or one that begins"
        + " with \"https://\".")
  }

  /// Describes an error of reading, fetching or importing a feed; nil for other
  /// errors.
  init?(feed error: any Error) {
    switch error {
    case let error as FeedError: self.init(error)
    case let error as FetchError: self.init(error)
    case let error as FeedLocationError: self.init(error)
    case let error as StoreError where error.underlying is PostgresError:
      self.init(error, isOfServer: true)
    default: self.init(error)
    }
  }
}
