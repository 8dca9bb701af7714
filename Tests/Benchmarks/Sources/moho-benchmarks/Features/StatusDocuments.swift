import Foundation
import MohoTesting

/// Statuses of a microblog as a JSON array, about 4 KB each: HTML, nested
/// objects, arrays, null and absent members.
struct StatusDocuments {
  let count: Int
  let text: Data
  let totals: StatusTotals

  /// Generates statuses that depend only on the seed and the number of
  /// statuses.
  init(count: Int, seed: UInt64 = 1) {
    var writer = StatusText(accounts: max(count / 8, 1), seed: seed)
    var counts: [Int] = []
    var text = "["
    for number in 0..<count {
      if number > 0 { text += "," }
      let favorites = writer.random.below(5_000)
      text += writer.status(number, favorites: favorites)
      counts.append(favorites)
    }
    self.count = count
    self.text = Data((text + "]").utf8)
    totals = StatusTotals(counts: counts)
  }
}
