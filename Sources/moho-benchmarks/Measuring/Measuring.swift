import CFloors

/// One way to do the work of a benchmark.
struct Contender {
  let name: String
  /// Makes the input that the work needs, so that it is there before.
  let prepare: () throws -> Void
  /// Puts things back in the state that the work begins in, before each time.
  let reset: () throws -> Void
  /// Does the work and returns a checksum, which all contenders must agree on.
  let run: () throws -> Double
  /// Makes the checksum of what the run has returned, where finding it out is no
  /// part of the work.
  let checksum: (Double) throws -> Double

  init(
    name: String, prepare: @escaping () throws -> Void = {},
    reset: @escaping () throws -> Void = {}, run: @escaping () throws -> Double,
    checksum: @escaping (Double) throws -> Double = { $0 }
  ) {
    self.name = name
    self.prepare = prepare
    self.reset = reset
    self.run = run
    self.checksum = checksum
  }
}

/// The times of a contender, in seconds.
struct Measurement {
  let name: String
  var times: [Double] = []
  /// The memory that the contender adds at its peak, in bytes, if measured.
  var peakMemory: Int?

  var median: Double {
    let sorted = times.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
  }

  var minimum: Double { times.min() ?? .nan }

  var p99: Double {
    let sorted = times.sorted()
    return sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
  }
}

struct ChecksumMismatch: Error, CustomStringConvertible {
  let description: String
}

/// Runs contenders in turns, so that what else the machine does meets all of
/// them, after one round that is not counted.
func measure(_ contenders: [Contender], rounds: Int) throws -> [Measurement] {
  var measurements = contenders.map { Measurement(name: $0.name) }
  var checksum: Double?
  let clock = ContinuousClock()
  for contender in contenders { try contender.prepare() }
  for round in 0...rounds {
    for (index, contender) in contenders.enumerated() {
      var result = 0.0
      try contender.reset()
      floor_release_memory()
      let time = try clock.measure { result = try contender.run() }
      result = try contender.checksum(result)
      guard checksum ?? result == result else {
        throw ChecksumMismatch(
          description: "\(contender.name) computed \(result), not \(checksum ?? .nan)")
      }
      checksum = result
      if round > 0 { measurements[index].times.append(time / .seconds(1)) }
    }
  }
  return measurements
}
