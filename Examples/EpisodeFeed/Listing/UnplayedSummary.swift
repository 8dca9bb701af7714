import Moho

/// What the user has not listened to: the number of episodes, and their length.
public struct UnplayedSummary: MappedModel, Hashable, Sendable {
  /// The number of episodes.
  public var count: Int
  /// The sum of the lengths that are known, in seconds.
  public var seconds: Double

  /// Creates a summary.
  public init(count: Int, seconds: Double = 0) {
    self.count = count
    self.seconds = seconds
  }

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "Unplayed", UnplayedSummary.init(count:seconds:),
    .key("count", \.count), .key("seconds", \.seconds))

  /// The values that ``init(_:)`` reads.
  static func aggregates(_ episode: ModelKeys<Episode>) -> [Aggregate] {
    [
      .count.filter(episode.isPlayed == false),
      .sum(episode.duration).filter(episode.isPlayed == false),
    ]
  }

  /// Reads the last values of a section or of a group of episodes.
  ///
  /// - Returns: Nil if there is no number of episodes among them.
  init?(_ values: ValueRow?) {
    guard let values = values?.values.suffix(2), case .int64(let count) = values.first else {
      return nil
    }
    let seconds: Double = if case .double(let sum) = values.last { sum } else { 0 }
    self.init(count: Int(count), seconds: seconds)
  }

  /// The summary in words, such as `12 not played, 4:30:00`.
  var text: String {
    count == 0
      ? "all played" : (["\(count) not played"] + length).joined(separator: ", ")
  }

  /// The summary in words after a number of episodes, which it does not repeat if no episode
  /// is played. Empty if all are.
  func text(among all: Int) -> String { count < all && count > 0 ? text : length.first ?? "" }

  private var length: [String] { seconds > 0 ? [EpisodeText.duration(seconds)] : [] }
}
