import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation
import TextTables

struct FeedsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feeds",
    abstract: "List the remembered feeds, or forget one.",
    discussion: """
      `import URL` remembers a feed, and `refresh` fetches all remembered feeds again.

      EXAMPLES:
        episode-feed feeds
        episode-feed feeds forget https://example.com/feed.xml
        episode-feed feeds forget "Deep Time"
      """,
    subcommands: [ListFeedsCommand.self, ForgetFeedCommand.self],
    defaultSubcommand: ListFeedsCommand.self)
}

struct ListFeedsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the remembered feeds.",
    discussion: """
      Each line has the title of the podcast, the time of the last successful fetch in the local \
      time zone, the URL, and the reason if the last fetch failed.
      """)

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func run() throws {
    let subscriptions = try options.openExisting().subscriptions()
    if subscriptions.isEmpty {
      Output.note("No remembered feeds. Import one with `episode-feed import URL`.")
    }
    let rows = subscriptions.map { subscription in
      [
        subscription.podcast,
        subscription.fetchedAt.map { EpisodeText.timestamp($0, in: .current) } ?? "-",
        subscription.url.absoluteString, subscription.failure.map { "failed: \($0)" } ?? "",
      ]
    }
    try Output.print(TextTable(rows: rows).lines)
  }
}

struct ForgetFeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Forget a feed. Its episodes remain.")

  @Argument(
    help: "The URL of the feed, or the title of its podcast.",
    completion: EpisodeCompletion.feeds)
  var feed: String

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func run() throws {
    for subscription in try options.openExisting().forgetFeed(feed) {
      try Output.print(["\(subscription.podcast): forgot \(subscription.url.absoluteString)"])
    }
  }
}
