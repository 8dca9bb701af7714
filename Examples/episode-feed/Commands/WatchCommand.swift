import ArgumentParser
import CommandSupport
import EpisodeFeed
import Moho
import TerminalScreen

struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show the list and follow its changes by any program.",
    discussion: """
      In a terminal, the list fills the screen. Rows that change are marked for a few seconds: \
      + new, ~ changed, ↑ ↓ moved, ↑~ ↓~ moved and changed, − deleted. The selected episode \
      stays selected when it moves.

      KEYS:
        ↑ ↓ k j, PgUp PgDn, Home End g G    select an episode
        /        search titles and summaries as you type; Esc shows all
        e Enter  edit the title; Enter saves, Esc cancels
        space p  mark as played or not played
        d        delete
        u, r     undo, redo
        ?        help
        q        quit

      Edits are saved immediately. If another program has changed the same key, the first \
      attempt reports a conflict, and the second attempt overwrites the key.

      With --plain, or if input or output is not a terminal or TERM is "dumb", each change is \
      one line: its kind, the positions before and after as [section, row], the changed keys, \
      the id and the title.

      EXAMPLES:
        episode-feed watch --sections season
        episode-feed watch --plain | grep insert

      ENVIRONMENT:
        NO_COLOR                disables colors if it is not empty
        TERM                    "dumb" has the effect of --plain
        LC_ALL, LC_CTYPE, LANG  marks are ASCII unless the encoding is UTF-8
      """)

  @Flag(help: "Print each change as a line instead of filling the screen.")
  var plain = false

  @Option(
    help: ArgumentHelp("How long changed rows are marked.", valueName: "seconds"))
  var linger = 3.0

  @OptionGroup var listOptions: ListOptions
  @OptionGroup var options: StoreOptions<EpisodeStore>

  func validate() throws {
    guard linger >= 0, linger <= 3_600 else {
      throw ValidationError("--linger must be between 0 and 3600 seconds.")
    }
  }

  func run() async throws {
    let store = try options.open()
    let isScreen = Terminal.isInput && Terminal.size != nil && Terminal.traits.isAddressable
    if plain || !isScreen {
      try await PlainWatch.run(listOptions.list.controller(in: store))
    } else {
      try await ScreenWatch(listOptions.list, in: store, linger: .seconds(linger)).run()
    }
  }
}
