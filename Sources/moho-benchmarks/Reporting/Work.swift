/// What contenders do.
struct Work {
  /// The number of the workload, such as `W1`; see `BENCHMARKS.md`.
  let number: String
  let title: String
  /// How many rows, models or elements there are.
  let rows: Int
  /// What one run does many times, such as `row`, and how often it does that;
  /// nil where it does one thing.
  var unit: (name: String, count: Int)?
  /// How many times as long as another contender Moho may take.
  var limits: [(contender: String, ratio: Double)] = []
}

/// Whose a contender is: told by the first word of its name.
enum Party: String, Codable {
  /// Moho's.
  case own
  /// The least work that does the same, in C or written by hand.
  case floor
  /// What others would take.
  case peer
  /// A part of what a floor takes.
  case part

  init(contender: String) {
    switch contender.prefix(while: { $0 != "," }) {
    case "Moho": self = .own
    case "C", "Swift": self = .floor
    case "of which": self = .part
    default: self = .peer
    }
  }
}
