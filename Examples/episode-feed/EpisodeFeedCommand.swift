import ArgumentParser
import CommandSupport
import EpisodeFeed

/// Stores the episodes of podcasts in a SQLite file and shows them as a live
/// list.
@main
struct EpisodeFeedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "episode-feed",
    abstract: "Store the episodes of podcasts and watch the list change.",
    discussion: """
      The program reads feeds in two forms and detects which one it is: JSON Feed 1.1 \
      (https://www.jsonfeed.org), and an array of {"episode": {…}}, the form of a screencast's \
      API. The id identifies an episode: importing a file again changes nothing.

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
        64  Invalid command-line arguments.
        65  The file is not a feed, or the feed or the store has invalid items.
        66  The file, store or episode does not exist or cannot be read.
        73  The store cannot be opened, or a file cannot be written.
        74  The disk failed or is full.
        75  Another program has locked or changed the store: try again.

      An error leaves the store unchanged. Control characters in titles and other data are \
      shown as escapes such as \\u{1B}.
      """,
    subcommands: [
      ImportCommand.self, ListCommand.self, ShowCommand.self, EditCommand.self,
      ExportCommand.self, WatchCommand.self, DemoCommand.self,
    ])

  static func main() async {
    await runReporting { ($0 as? FeedError).map { Failure($0) } }
  }
}
