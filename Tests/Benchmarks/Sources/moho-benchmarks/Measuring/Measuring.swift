import CFloors

/// One implementation of the work of a benchmark.
struct Contender {
  let name: String
  /// Creates the input of the work. Called once, before the first run.
  let prepare: () throws -> Void
  /// Restores the initial state. Called before each run.
  let reset: () throws -> Void
  /// Does the work and returns a checksum. The checksums of all contenders must
  /// be equal.
  let run: () throws -> Double
  /// Computes the checksum from the result of a run, outside the measured time.
  let checksum: (Double) throws -> Double

  /// Creates a contender whose work includes the checksum.
  init(
    name: String, prepare: @escaping () throws -> Void = {},
    reset: @escaping () throws -> Void = {}, run: @escaping () throws -> Double
  ) {
    self.name = name
    self.prepare = prepare
    self.reset = reset
    self.run = run
    checksum = { $0 }
  }

  /// Creates a contender whose checksum is computed outside the measured time.
  init(
    name: String, prepare: @escaping () throws -> Void = {},
    reset: @escaping () throws -> Void = {}, work: @escaping () throws -> Void,
    checksum: @escaping () throws -> Double
  ) {
    self.name = name
    self.prepare = prepare
    self.reset = reset
    run = {
      try work()
      return .nan
    }
    self.checksum = { _ in try checksum() }
  }
}

/// The times of a contender, in seconds, and a size in bytes.
struct Measurement {
  let name: String
  var times: [Double] = []
  /// The memory that the contender adds at its peak or while it is idle, or the
  /// size of the program that it builds. `nil` if not measured.
  var bytes: Int?

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

/// A contender that could not do the work.
struct ContenderFailure: Error, CustomStringConvertible {
  let contender: String
  let cause: any Error

  var description: String { "\(contender) failed: \(cause)" }
}

/// The cause of the last failure of a C floor on this thread.
var floorFailure: String { String(cString: floor_failure()) }

/// Measures contenders that take turns, so that other load on the machine
/// affects all of them. The first round is a warm-up.
func measure(_ contenders: [Contender], rounds: Int) throws -> [Measurement] {
  var measurements = contenders.map { Measurement(name: $0.name) }
  var checksum: Double?
  let clock = ContinuousClock()
  for contender in contenders {
    do {
      try contender.prepare()
    } catch {
      throw ContenderFailure(contender: contender.name, cause: error)
    }
  }
  for round in 0...rounds {
    for (index, contender) in contenders.enumerated() {
      var result = 0.0
      let time: Duration
      do {
        try contender.reset()
        floor_release_memory()
        time = try clock.measure { result = try contender.run() }
        result = try contender.checksum(result)
      } catch {
        throw ContenderFailure(contender: contender.name, cause: error)
      }
      guard !result.isNaN, checksum ?? result == result else {
        let cause = floorFailure.isEmpty ? "" : ": \(floorFailure)"
        throw ChecksumMismatch(
          description: "\(contender.name) computed \(result), not \(checksum ?? 0)\(cause)")
      }
      checksum = result
      if round > 0 { measurements[index].times.append(time / .seconds(1)) }
    }
  }
  return measurements
}
