/// The work of the contenders of a benchmark.
struct Work {
  /// The number of the workload, such as `W1`.
  let number: String
  let title: String
  /// The number of rows, models or elements.
  let rows: Int
  /// The repeated unit of work of a run, such as `row`, and its number of
  /// repetitions. `nil` if the work is not repeated.
  var unit: (name: String, count: Int)?
  /// The size of the JSON document. `nil` if there is none.
  var documentBytes: Int?
  /// The settings of a server. `nil` if there is none.
  var conditions: String?
  /// The maximum ratio of the time of Moho to the time of other contenders.
  var limits: [(contender: String, ratio: Double)] = []
}

/// The kind of a contender, determined by the first word of its name.
enum Party: String, Codable {
  /// Moho.
  case own
  /// A minimal implementation of the same work, in C, C++ or hand-written Swift.
  case floor
  /// Another library.
  case peer
  /// A part of the work of a floor.
  case part

  init(contender: String) {
    switch contender.prefix(while: { $0 != "," }) {
    case "Moho": self = .own
    case "C", "C++", "Swift": self = .floor
    case "of which": self = .part
    default: self = .peer
    }
  }
}
