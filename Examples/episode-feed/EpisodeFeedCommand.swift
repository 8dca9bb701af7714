import ArgumentParser
import CommandSupport
import EpisodeFeed

/// Stores episodes of podcasts in a SQLite file or a PostgreSQL database, and shows
/// them as a live list.
@main
struct EpisodeFeedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "episode-feed",
    abstract: "Store episodes of podcasts, and list, edit and watch them.",
    discussion: """
      The program detects the format of a feed: RSS 2.0, Atom, JSON Feed 1.1 \
      (https://www.jsonfeed.org), or an array of {"episode": {...}}, the format of a screencast's \
      API. Episodes are identified by their ids: importing a feed again changes nothing.

      EXAMPLES:
        episode-feed demo
        episode-feed import feed.json
        episode-feed import https://example.com/feed.xml
        episode-feed refresh
        episode-feed list --search moho --sections season
        episode-feed edit 113 --title "The Moho" --date 2026-11-20
        episode-feed watch        (then import or edit in another terminal)
        episode-feed serve        (the same on a page in the browser)
        episode-feed export | episode-feed import - --store copy.sqlite
        episode-feed watch --store postgresql://localhost/podcasts

      STORES:
        Without --store, all commands use one SQLite file. --store FILE selects
        another one. --store postgresql://user@host/database selects a database
        of a PostgreSQL server, in which import, demo and watch create the tables.
        The URL can have all options of libpq, such as several hosts, sslmode, and
        options=-csearch_path%3Dfeeds. Pass the password in ~/.pgpass or
        PGPASSWORD, because other users can see the arguments of programs.
        Messages show URLs without passwords.

      EXIT STATUS:
        0   Done.
        64  Invalid command-line arguments.
        65  The file is not a feed, or the feed or the store has invalid values.
        66  The file, feed, store or episode does not exist or cannot be read.
        69  The server of the store cannot be reached, or the connection to it was
            lost.
        73  The store cannot be opened, a file cannot be written, or a port cannot
            be used.
        74  The disk failed or is full.
        75  Another program has locked or changed the store, or a feed cannot be
            fetched now: try again.
        77  The server of the store refuses the user or the password, or a right is
            missing.

      An error leaves the store unchanged. Control characters in titles and other data are \
      shown as escapes such as \\u{1B}.
      """,
    version: PackageVersion.current,
    subcommands: [
      ImportCommand.self, RefreshCommand.self, FeedsCommand.self, ListCommand.self,
      ShowCommand.self, EditCommand.self, ExportCommand.self, WatchCommand.self,
      ServeCommand.self, DemoCommand.self,
    ])

  static func main() async {
    await runReporting { Failure(feed: $0) }
  }
}
