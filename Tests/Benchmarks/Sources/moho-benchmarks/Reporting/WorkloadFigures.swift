/// The figures of one workload with one number of rows, all of one run.
struct WorkloadFigures: Codable {
  /// A contender of the workload.
  struct Contender: Codable {
    let name: String
    let party: Party
    /// `nil` if only sizes were measured.
    let time: Time?
    /// The memory that the contender adds at its peak or while it is idle, or
    /// the size of the program that it builds. `nil` if not measured.
    let bytes: Int?
  }

  /// Times in seconds.
  struct Time: Codable {
    let runs: Int
    let minimum: Double
    let median: Double
    let p99: Double
  }

  /// The number of the workload, such as `W1`.
  let number: String
  let title: String
  let rows: Int
  /// The size of the JSON document. `nil` if there is none.
  let documentBytes: Int?
  /// What the page says about the run, such as the settings of a server.
  let conditions: String?
  /// The day of the run.
  let date: String
  /// The hardware and software of the run.
  let machine: String
  /// The name of the contender that the others are compared with.
  let own: String
  let contenders: [Contender]
  var goals: [Goal] = []

  /// Workloads with the same key replace each other in a file.
  var key: [String] { [number, title, "\(rows)"] }

  func contender(_ name: String) -> Contender? { contenders.first { $0.name == name } }

  /// The median time of a contender, or not a number.
  func median(of name: String) -> Double { contender(name)?.time?.median ?? .nan }
}

/// A figure with an upper limit.
struct Goal: Codable {
  enum Unit: String, Codable {
    case ratio, seconds, bytes
  }

  let claim: String
  let unit: Unit
  let value: Double
  let limit: Double

  var isMet: Bool { value <= limit }

  var description: String {
    "\(isMet ? "met" : "missed"): \(claim) \(text(value)), limit \(text(limit))"
  }

  private func text(_ value: Double) -> String {
    switch unit {
    case .ratio: FigureText.ratio(value)
    case .seconds: FigureText.time(value)
    case .bytes: FigureText.decimal(value, 1)
    }
  }
}
