import Foundation
import GRDB
import MohoMapping

/// A row with eight columns. IDs begin at 1.
struct ListedEpisode: MappedModel, Equatable {
  var id: Int
  var show: Int
  var title: String
  var summary: String?
  var url: String
  var publishedAt: Date
  var duration: Double
  var season: Int?

  static let mapping = Mapping(
    "ListedEpisode", ListedEpisode.init,
    .key("id", \.id, .unique),
    .key("show", \.show),
    .key("title", \.title),
    .key("summary", \.summary),
    .key("url", \.url),
    .key("publishedAt", \.publishedAt, .indexed),
    .key("duration", \.duration),
    .key("season", \.season)
  ).indexed(\.show, \.publishedAt)

  var checksum: Double {
    let integers = id + show + (season ?? -1) + url.utf8.count
    let text = title.utf8.count + (summary?.utf8.count ?? -1)
    return Double(integers + text) + publishedAt.timeIntervalSinceReferenceDate + duration
  }
}

/// The generated contents of a table with `count` episodes.
struct ListedEpisodes {
  let count: Int

  /// The number of shows: 997, or fewer in small tables.
  var showCount: Int { min(997, max(1, count / 8)) }

  /// Returns the episodes with the given numbers, which may exceed `count`. By
  /// default, all episodes of the table.
  func models(_ numbers: Range<Int>? = nil) -> some Sequence<ListedEpisode> {
    (numbers ?? 0..<count).lazy.map { number in
      ListedEpisode(
        id: number + 1,
        show: show(of: number),
        title: "Episode \(number): what the mantle is made of",
        summary: number % 4 == 0
          ? nil : "In which rock number \(number) is looked at from all sides, slowly.",
        url: "https://example.com/episodes/\(number)",
        publishedAt: Date(timeIntervalSinceReferenceDate: publication(of: number)),
        duration: Double(rank(of: number, step: 104_729)),
        season: number % 10 == 0 ? nil : number / 10_000)
    }
  }

  func show(of number: Int) -> Int { number * 31 % showCount }

  /// Returns the publication date: one episode per hour, with unique dates.
  /// Rows with adjacent dates are far apart in the table.
  func publication(of number: Int) -> Double { Double(rank(of: number, step: 7_919)) * 3_600 }

  private func rank(of number: Int, step: Int) -> Int {
    // The steps are primes, so each rank below `count` occurs once.
    let count = max(1, count)
    return number / count * count + number % count * step % count
  }
}

/// The same row as a GRDB record whose initializer reads columns by index.
struct ListedRecord: FetchableRecord, Equatable {
  var id: Int
  var show: Int
  var title: String
  var summary: String?
  var url: String
  var publishedAt: Date
  var duration: Double
  var season: Int?

  init(row: Row) {
    id = row[0]
    show = row[1]
    title = row[2]
    summary = row[3]
    url = row[4]
    publishedAt = Date(timeIntervalSinceReferenceDate: row[5])
    duration = row[6]
    season = row[7]
  }

  var checksum: Double {
    let integers = id + show + (season ?? -1) + url.utf8.count
    let text = title.utf8.count + (summary?.utf8.count ?? -1)
    return Double(integers + text) + publishedAt.timeIntervalSinceReferenceDate + duration
  }
}

/// A row of a table that the list does not read.
struct ListedShow: MappedModel, Equatable {
  var id: Int
  var title: String

  static let mapping = Mapping(
    "ListedShow", ListedShow.init,
    .key("id", \.id, .unique),
    .key("title", \.title))
}
