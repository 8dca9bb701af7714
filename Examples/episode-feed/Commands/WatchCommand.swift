import ArgumentParser
import CommandSupport
import EpisodeFeed
import Moho
import TerminalScreen

struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show the list as it changes, whoever changes it.",
    discussion: """
      In a terminal the list fills the screen. Rows have marks for a moment when something \
      happened to them: + new, ~ changed, ↑ ↓ moved, ↑~ ↓~ moved and changed, − deleted. The \
      selected episode stays selected wherever it goes.

      KEYS:
        ↑ ↓ k j, PgUp PgDn, Home End g G    select an episode
        /        search as you type, in title and summary; Esc shows all
        e Enter  edit the title; Enter saves, Esc leaves it as it was
        space p  played, or not
        d        delete
        u, r     undo, redo
        ?        help
        q        quit

      What is edited is saved at once; what others change meanwhile stays, and an edit of the \
      same is refused first.

      With --plain, or where input or output is no terminal or a dumb one, each change record \
      is one line: what happened, the place before and after as [section, row], the keys whose \
      values differ, the id and the title.

      ENVIRONMENT:
        NO_COLOR                no colors, if it is set and not empty
        TERM                    "dumb" is as --plain
        LC_ALL, LC_CTYPE, LANG  the marks are ASCII where the encoding is not UTF-8
      """)

  @Flag(help: "Print each change record as a line instead of drawing.")
  var plain = false

  @Option(
    help: ArgumentHelp("How long marks stay beside rows.", valueName: "seconds"))
  var linger = 3.0

  @OptionGroup var list: ListOptions
  @OptionGroup var options: StoreOptions<EpisodeStore>

  func validate() throws {
    guard linger >= 0, linger <= 3_600 else {
      throw ValidationError("--linger takes seconds from 0 to 3600.")
    }
  }

  func run() async throws {
    let store = try options.open()
    let isScreen = Terminal.isInput && Terminal.size != nil && Terminal.traits.isAddressable
    if plain || !isScreen {
      try await PlainWatch.run(list.list.controller(in: store))
    } else {
      try await ScreenWatch(list.list, in: store, linger: .seconds(linger)).run()
    }
  }
}
