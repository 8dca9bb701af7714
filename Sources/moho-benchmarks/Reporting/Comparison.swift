/// A workload at one size: Moho beside the others.
struct Comparison {
  struct Other {
    let name: String
    let party: Party
    /// How many times as long Moho takes.
    let ratio: Double
  }

  let number: String
  let workload: String
  let rows: Int
  /// What Moho takes, in seconds.
  let median: Double
  /// Floors, then peers, each in the order of the run.
  let others: [Other]
}

extension BenchmarkReport {
  /// The workloads, by their numbers.
  var comparisons: [Comparison] {
    let compared = figures.filter(\.isCompared)
    let numbers = compared.map(\.number).uniqued().sorted {
      Int($0.dropFirst()) ?? 0 < Int($1.dropFirst()) ?? 0
    }
    return numbers.flatMap { number in compared.filter { $0.number == number } }.map { own in
      let others = figures.filter {
        $0.number == own.number && $0.workload == own.workload && $0.rows == own.rows
          && $0.party != .own
      }
      return Comparison(
        number: own.number, workload: own.workload, rows: own.rows, median: own.median,
        others: [Party.floor, .peer].flatMap { party in
          others.filter { $0.party == party }.map {
            Comparison.Other(name: $0.contender, party: party, ratio: own.median / $0.median)
          }
        })
    }
  }
}
