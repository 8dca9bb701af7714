import ArgumentParser
import CommandSupport
import EpisodeFeed

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show all values of an episode.",
    discussion: "Keys without a value are omitted. The show notes come last.")

  @Argument(
    help: "The id of the episode, as shown by `list`.", completion: EpisodeCompletion.ids)
  var id: String

  @Option(
    help: ArgumentHelp(
      "The podcast. Required if several podcasts have an episode with the id.",
      valueName: "title"),
    completion: EpisodeCompletion.podcasts)
  var podcast: String?

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func run() throws {
    try Output.print(EpisodeText.details(options.openExisting().episode(id, of: podcast)))
  }
}
