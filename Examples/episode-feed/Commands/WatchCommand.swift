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
      + is new, ~ changed, an arrow moved, an arrow and ~ moved and changed, and - deleted. The \
      selected episode stays selected when it moves.

      KEYS:
        Up Down PgUp PgDn Home End, k j g G    select an episode
        N Tab    select the next episode that is not played
        o Enter  open the page of the episode in the browser
        n        show or hide the show notes; J and K scroll them
        P Left h show the podcasts; Enter shows the episodes of one, Esc returns
        R        fetch the remembered feeds again, or those of the shown podcast
        /        search titles and summaries as you type; Esc shows all
        s, S     change the order, the sections
        H        hide or show played episodes
        e        edit the title; Enter saves, Esc cancels
        space p  mark as played or not played
        A, U     mark all episodes of the list as played, as not played
        d        delete
        u, r     undo, redo
        ?        help
        q        quit

      A click selects an episode, a double click opens its page, and the wheel scrolls. Most \
      terminals select text while Shift is pressed.

      The file ~/.config/episode-feed/keys changes the keys. `watch --print-keys` prints the \
      default keys in its format: a command and a key on each line, such as "next-unplayed = x", \
      and comments after #.

      A bar at the edge of a long list shows which part of it is visible.

      Dates are in the local time zone. The show notes are beside the list in a terminal of at \
      least 100 columns, and below it in a terminal of at least 30 lines or after `n`. An \
      episode without a title shows the beginning of its summary or show notes.

      A search finds words, as --search does. Until a word is complete, it finds all words that \
      begin with its letters.

      Edits are saved immediately. If another program has changed the same key, the first \
      attempt reports a conflict, and the second attempt overwrites the key.

      With --plain, or if input or output is not a terminal or TERM is "dumb", each change is \
      one line: its kind, the positions before and after as [section, row], the changed keys, \
      the id and the title.

      EXAMPLES:
        episode-feed watch --sections season
        episode-feed watch --plain | grep insert
        episode-feed watch --print-keys >~/.config/episode-feed/keys

      ENVIRONMENT:
        XDG_CONFIG_HOME         the folder of episode-feed/keys instead of ~/.config
        TZ                      the time zone of dates
        NO_COLOR                disables colors if it is not empty
        TERM                    "dumb" has the effect of --plain
        LC_ALL, LC_CTYPE, LANG  marks are ASCII unless the encoding is UTF-8

      A signal that ends the program, such as SIGTERM, restores the terminal first. The exit \
      status in a shell is then 128 plus the number of the signal. After `q` and Ctrl-C on the \
      screen it is 0.
      """)

  @Flag(help: "Print each change as a line instead of filling the screen.")
  var plain = false

  @Flag(
    inversion: .prefixedNo,
    help: "Use the mouse. Without it, the terminal selects text as usual.")
  var mouse = true

  @Option(
    help: ArgumentHelp("How long changed rows are marked.", valueName: "seconds"))
  var linger = 3.0

  @Option(
    help: ArgumentHelp(
      "The file with the keys of the screen. (default: ~/.config/episode-feed/keys)",
      valueName: "file"),
    completion: .file())
  var keys: String?

  @Flag(help: "Print the default keys of the screen, as the text of a file for --keys.")
  var printKeys = false

  @OptionGroup var listOptions: ListOptions
  @OptionGroup var options: StoreOptions<EpisodeStore>

  func validate() throws {
    if keys == "-" { throw ValidationError("--keys must be a file.") }
    guard linger >= 0, linger <= 3_600 else {
      throw ValidationError("--linger must be between 0 and 3600 seconds.")
    }
  }

  func run() async throws {
    if printKeys {
      return try Output.print(KeyBindings().text.split(separator: "\n").map(String.init))
    }
    if let signal = try await watch() { Signals.endProcess(by: signal) }
  }

  /// - Returns: The signal that ended watching.
  private func watch() async throws -> Signals.Kind? {
    let isScreen =
      !plain && Terminal.isInput && Terminal.size != nil && Terminal.traits.isAddressable
    let bindings = isScreen ? try KeyBindingsFile.read(keys) : KeyBindings()
    let store = try options.open()
    guard isScreen else { return try await PlainWatch.run(listOptions.list.controller(in: store)) }
    return try await ScreenWatch(
      listOptions.list, in: store, keys: bindings, linger: .seconds(linger), usesMouse: mouse
    ).run()
  }
}
