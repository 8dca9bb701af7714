import Foundation
import MohoJSON

/// Prints memory at several amounts of work, to show that it does not grow.
struct MemoryGrowth {
  let episodes: Int
  let folder: URL

  func printTable() throws {
    print("\nmemory")
    for count in [episodes, 4 * episodes] {
      let bytes = try importPeak(count)
      show("peak memory added by importing \(count) streamed episodes", bytes)
    }
    let data = try JSONAdapter<FeedEpisode>().data(from: FeedEpisode(number: 1))
    for (count, total) in [(10_000, 10_000), (100_000, 110_000)] {
      for _ in 0..<count { _ = try JSONAdapter<FeedEpisode>().model(from: data) }
      show("resident after \(total) decodes", Memory.resident)
    }
  }

  private func importPeak(_ count: Int) throws -> Int? {
    let input = FeedInput(count: count, folder: folder)
    _ = input.data
    let imports = EpisodeImport(input: input, state: .empty, folder: folder)
    return try PeakMemory(arguments: [
      "models", "--workload", Workload.importJSON.rawValue, "--episodes", "\(count)",
      "--folder", folder.path,
    ]).bytes(of: imports.streamed)
  }

  private func show(_ text: String, _ bytes: Int?) {
    let size = bytes.map { String(format: "%8.1f MB", Double($0) / 1e6) } ?? "unknown"
    print(text.padding(toLength: 56, withPad: " ", startingAt: 0), size)
  }
}
