import ArgumentParser
import CommandSupport
import EpisodeFeed
import Moho

struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show the list as it changes, whoever changes it.",
    discussion: """
      In a terminal the list is drawn in place, as much of it as fits, with marks at the rows \
      that the last change touched: + new, ~ changed, > moved, >~ moved and changed. Quit with \
      q or Ctrl-C.

      With --plain, or where standard output is no terminal, each change record is one line: \
      what happened, the place before and after as [section, row], the keys whose values \
      differ, the id and the title.
      """)

  @Flag(help: "Print each change record as a line instead of drawing.")
  var plain = false

  @OptionGroup var list: ListOptions
  @OptionGroup var options: StoreOptions<EpisodeStore>

  func run() async throws {
    let controller = try list.list.controller(in: options.open())
    if plain || Terminal.size == nil || !Terminal.isInput {
      try await PlainWatch.run(controller)
    } else {
      try await ScreenWatch.run(list.list, controller)
    }
  }
}
