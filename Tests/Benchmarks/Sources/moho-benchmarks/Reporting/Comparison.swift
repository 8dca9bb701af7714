/// The times of Moho and of its references for one workload and one number of
/// rows.
struct Comparison {
  /// A floor or a peer.
  struct Reference {
    let name: String
    let party: Party
    /// The time of Moho divided by that of the reference.
    let ratio: Double
  }

  let number: String
  let workload: String
  let rows: Int
  /// The median time of Moho, in seconds.
  let median: Double
  /// Floors, then peers, each in the order of the run.
  let references: [Reference]
}

extension BenchmarkReport {
  /// The comparisons, ordered by workload number.
  var comparisons: [Comparison] {
    let compared = figures.filter(\.isCompared)
    let numbers = compared.map(\.number).uniqued().sorted {
      Int($0.dropFirst()) ?? 0 < Int($1.dropFirst()) ?? 0
    }
    return numbers.flatMap { number in compared.filter { $0.number == number } }.map { own in
      let references = figures.filter {
        $0.number == own.number && $0.workload == own.workload && $0.rows == own.rows
          && $0.party != .own
      }
      return Comparison(
        number: own.number, workload: own.workload, rows: own.rows, median: own.median,
        references: [Party.floor, .peer].flatMap { party in
          references.filter { $0.party == party }.map {
            Comparison.Reference(name: $0.contender, party: party, ratio: own.median / $0.median)
          }
        })
    }
  }
}
