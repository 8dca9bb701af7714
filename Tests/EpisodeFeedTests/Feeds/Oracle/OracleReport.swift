import Foundation

@testable import EpisodeFeed

/// The counts of a comparison, by cause.
struct OracleReport: CustomStringConvertible {
  /// The feeds that were imported.
  private(set) var imported = 0
  /// The feeds that should have been imported, and the reasons why they were not.
  private(set) var refused: [String] = []
  /// The feeds that are not imported for a stated reason.
  private(set) var excused: [String: Int] = [:]
  /// The values that are equal.
  private(set) var equal = 0
  /// The values that differ.
  private(set) var different: [String] = []
  /// The values that differ for a stated reason.
  private(set) var excusedValues: [String: Int] = [:]

  mutating func refuse(_ error: FeedError, _ expected: OracleFeed, _ path: String) {
    let reason: String? =
      if expected.entries.isEmpty {
        "feedparser finds no entries, either"
      } else if error.reason.contains("<CHANNEL>") {
        "the format is CDF"
      } else if error.reason.contains("declarations of entities") {
        "entities are declared"
      } else if !expected.isWellFormed {
        "not well-formed for feedparser, either"
      } else {
        nil
      }
    if let reason {
      excused[reason, default: 0] += 1
    } else {
      refused.append("\(path): \(error)")
    }
  }

  mutating func compare(_ feed: Feed, _ expected: OracleFeed, _ path: String) {
    imported += 1
    let skipped = Set(feed.skippedValues.flatMap(\.messages))
    if feed.episodes.count + feed.failures.count == expected.entries.count {
      equal += 1
    } else {
      different.append(
        "\(path): \(feed.episodes.count) episodes and \(feed.failures.count) failures,"
          + " not \(expected.entries.count)")
    }
    guard feed.failures.isEmpty else { return }
    for (episode, entry) in zip(feed.episodes, expected.entries) {
      check("title", Self.plain(episode.title), Self.plain(entry.title), path, skipped)
      check(
        "link", episode.url.map { Self.link($0.absoluteString) } ?? "", Self.link(entry.link), path,
        skipped)
      let date = episode.publishedAt.map { Double(Int($0.timeIntervalSince1970.rounded(.down))) }
      check(
        "date", date.map { "\($0)" } ?? "",
        date.flatMap { entry.dates.contains($0) ? "\($0)" : nil }
          ?? entry.dates.first.map { "\($0)" } ?? "", path, skipped)
      let audio = episode.audioURL.map { Self.link($0.absoluteString) } ?? ""
      let enclosures = entry.enclosures.map(Self.link)
      check(
        "enclosure", audio, enclosures.contains(audio) ? audio : enclosures.first ?? "", path,
        skipped)
      check(
        "duration", episode.duration.map { "\($0)" } ?? "",
        ClockDuration.seconds(entry.duration).map { "\($0)" } ?? "", path, skipped)
      let chapters = (episode.chapters ?? []).map { "\($0.start) \($0.title ?? "")" }
      check(
        "chapters", chapters.joined(separator: ", "), entry.chapters.joined(separator: ", "), path,
        skipped)
    }
  }

  private mutating func check(
    _ name: String, _ found: String, _ expected: String, _ path: String, _ skipped: Set<String>
  ) {
    if found == expected {
      equal += 1
    } else if let reason = Self.reason(name, found, expected, skipped) {
      excusedValues[reason, default: 0] += 1
    } else {
      different.append("\(path): \(name) is \(found), not \(expected)")
    }
  }

  /// Why a value may differ.
  private static func reason(
    _ name: String, _ found: String, _ expected: String, _ skipped: Set<String>
  ) -> String? {
    if found.isEmpty, !skipped.isEmpty { return "\(name): the value was left out and reported" }
    if expected.isEmpty { return "\(name): feedparser does not read the form" }
    if name == "link", !expected.contains(":") { return "link: feedparser has no base" }
    return nil
  }

  private static func plain(_ text: String) -> String {
    HTMLText.line(HTMLText.line(text)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func link(_ text: String) -> String {
    (URL(string: text)?.absoluteString ?? text).removingPercentEncoding ?? text
  }

  var description: String {
    var lines = [
      "imported \(imported), refused \(refused.count), values equal \(equal),"
        + " different \(different.count)"
    ]
    lines += excused.sorted { $0.key < $1.key }.map { "  not imported: \($0.key): \($0.value)" }
    lines += excusedValues.sorted { $0.key < $1.key }.map {
      "  other values: \($0.key): \($0.value)"
    }
    return (lines + refused.map { "  refused: \($0)" } + different.map { "  different: \($0)" })
      .joined(separator: "\n")
  }
}
