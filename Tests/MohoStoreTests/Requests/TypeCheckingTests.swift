import Foundation
import MohoRows
import StoreTesting
import Testing

private typealias Show = Shows.Show

/// Tests the time to type-check a long closure. If the compiler had to try many
/// overloads, this file would not compile.
@Suite(.allEngines) struct TypeCheckingTests {
  @Test func longConditionsAreTypeChecked() throws {
    let days = 7.0
    let request = ModelRequest<Show>().filter {
      $0.title.contains("swift", [.caseInsensitive, .diacriticInsensitive])
        && $0.podcast.isActive == true && $0.publishedAt > .now - days * 86_400
        && ($0.season == 2 || $0.season == nil || $0.season.isBetween(4...6) || $0.number * 2 > 9)
        && $0.number + 1 != $0.season && $0.length / 60 - 0.5 < 90 && !($0.price >= 10)
        && $0.chapters.any { $0.title == "Intro" && $0.start + 1.5 <= 60 || $0.start == 0 }
        && $0.chapters.count(where: { $0.start > 3 && !$0.title.hasPrefix("x") }) - 1 < 5
        && $0.podcast.rank + 2 * 3 > 1 && $0.number.isOne(of: [1, 2, 3]) && $0.podcast != nil
    }

    #expect(try ModelStore.shows().fetchCount(request) == 0)
  }
}
