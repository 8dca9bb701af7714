import Foundation
import Testing

@testable import EpisodeFeed

/// All feeds in the folder `MOHO_FEEDS`, beside Python's `feedparser`.
@Suite(.timeLimit(.minutes(20))) struct FeedOracleTests {
  private static let folder = ProcessInfo.processInfo.environment["MOHO_FEEDS"]

  @Test(
    .enabled(if: folder != nil, "MOHO_FEEDS is not set"),
    .enabled(if: OracleFeed.isInstalled, "feedparser is not installed"))
  func feedsAreReadAsFeedparserReadsThem() throws {
    let folder = URL(filePath: try #require(Self.folder))
    let oracle = try OracleFeed.feeds(in: folder)
    var report = OracleReport()

    for (path, expected) in oracle.sorted(by: { $0.key < $1.key }) {
      let data = try Data(contentsOf: folder.appending(path: path))
      do {
        let feed = try Feed(reading: data, isLossy: true, defaultTitle: "Untitled")
        report.compare(feed, expected, path)
      } catch let error as FeedError {
        report.refuse(error, expected, path)
      }
    }

    print(report.description)
    #expect(oracle.count > 0)
    #expect(Double(report.imported) >= 0.98 * Double(report.imported + report.refused.count))
    #expect(Double(report.different.count) <= 0.01 * Double(report.equal))
  }
}
