import ArgumentParser
import CommandSupport
import EpisodeFeed

/// Keeps the episodes of podcasts in a SQLite file and shows them as a live
/// list.
@main
struct EpisodeFeedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "episode-feed",
    abstract: "Keep the episodes of podcasts in a store, and watch the list change.",
    discussion: """
      Feeds are read in two forms, which are told apart by themselves: JSON Feed 1.1 \
      (https://www.jsonfeed.org), and an array of {"episode": {…}} as a screencast's API has \
      it. An episode is known by its id: importing a file again changes nothing.

      EXAMPLES:
        episode-feed demo
        episode-feed import feed.json
        curl -s https://example.com/feed.json | episode-feed import -
        episode-feed list --search moho --sections season
        episode-feed edit 113 --title "The Moho" --date 2026-11-20
        episode-feed watch        (and import or edit in another terminal)
        episode-feed export | episode-feed import - --store copy.sqlite

      EXIT STATUS:
        0   Done.
        64  The command line makes no sense.
        65  The feed is no feed, or it or the store holds bad items.
        66  There is no such file, store or episode, or it cannot be read.
        73  The store cannot be opened, or a file cannot be written.
        74  The disk failed.
        75  Another program has locked the store: try again.

      Whatever the error, the store keeps what it had.
      """,
    subcommands: [
      ImportCommand.self, ListCommand.self, ShowCommand.self, EditCommand.self,
      ExportCommand.self, WatchCommand.self, DemoCommand.self,
    ])

  static func main() async {
    await runReporting { ($0 as? FeedError).map { Failure($0) } }
  }
}
