import ArgumentParser
import CommandSupport
import EpisodeFeed
import Moho

struct RefreshCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh",
    abstract: "Fetch all remembered feeds again.",
    discussion: """
      Imports the feeds that have changed, each as `import URL` did: with --mirror, --strict and \
      --podcast if these were given then. Servers do not send unchanged feeds again. Up to \
      four feeds are fetched at the same time. A feed that fails does not affect the others; the \
      exit status is that of the first failure.

      EXAMPLES:
        episode-feed import https://example.com/feed.xml
        episode-feed refresh
      """)

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func run() async throws {
    let store = try options.openExisting()
    let subscriptions = try await store.fetch(FeedSubscription.all)
    guard !subscriptions.isEmpty else {
      return Output.note("No remembered feeds. Import one with `episode-feed import URL`.")
    }
    let progress = Progress(of: subscriptions.count, "feeds")
    defer { progress.end() }
    var done = 0
    var failures: [Failure] = []
    try await FeedRefresher(store).refresh(subscriptions) { result in
      progress.end()
      if let failure = try Self.print(result) { failures.append(failure) }
      done += 1
      progress.show(done)
    }
    progress.end()
    guard let first = failures.first else { return }
    let feeds = subscriptions.count == 1 ? "feed" : "feeds"
    throw Failure(
      first.status, "\(failures.count) of \(subscriptions.count) \(feeds) failed",
      advice: "Use `episode-feed feeds` to see the reasons again.")
  }

  /// Prints the line of a result, and returns the failure if there is one.
  private static func print(_ result: FeedRefresher.Result) throws -> Failure? {
    let podcast = result.subscription.podcast
    switch result.outcome {
    case .unchanged: try Output.print(["\(podcast): unchanged"])
    case .imported(let report, let feed):
      try Output.print(["\(podcast): \(report)"])
      Output.note(FeedNotes.lines(feed, from: podcast))
    case .failed(let error):
      guard let failure = Failure(feed: error) else { throw error }
      let advice = failure.advice.map { " \($0)" } ?? ""
      Output.note("\(podcast): failed: \(failure.message).\(advice)")
      return failure
    }
    return nil
  }
}
