import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show all values of an episode.",
    discussion: """
      Keys without a value are omitted. The show notes come last, as plain text. In a terminal, \
      their lines are wrapped at its width. The time is in the local time zone, which the \
      environment variable TZ selects.

      With --json, the output is an object: an item of JSON Feed, with `podcast` and `played` in \
      the object `_episode_feed`.
      """)

  @Argument(
    help: "The id of the episode, as shown by `list`.", completion: EpisodeCompletion.ids)
  var id: String

  @Option(
    help: ArgumentHelp(
      "The podcast. Required if several podcasts have an episode with the id.",
      valueName: "title"),
    completion: EpisodeCompletion.podcasts)
  var podcast: String?

  @Flag(help: "Print the episode as JSON.")
  var json = false

  @OptionGroup var options: StoreOptions<EpisodeStore>

  func run() throws {
    let episode = try options.openExisting().episode(id, of: podcast)
    if json { return try Output.print(JSONText(EpisodeItem(episode).document())) }
    try Output.print(
      EpisodeText.details(episode, width: Terminal.size?.width, timeZone: .current))
  }
}
