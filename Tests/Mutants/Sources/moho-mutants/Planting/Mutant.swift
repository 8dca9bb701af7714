/// A planted mutant, and what the tests found.
struct Mutant: Codable {
  var number: Int
  var identity: MutantIdentity
  /// The first line of the change, from 1.
  var line: Int
  var outcome: Outcome?

  /// The result of the tests of a mutant.
  struct Outcome: Codable {
    var kind: Kind
    /// The test that failed, or those that were running.
    var test: String?
    /// The time from the start of the first test process.
    var seconds: Double

    enum Kind: String, Codable {
      /// A test failed.
      case failed = "failed"
      /// The test process crashed.
      case crashed = "crashed"
      /// The tests did not end in time.
      case timedOut = "timed out"
      /// The tests of the module passed. Those of other modules have not run.
      case undecided = "not found by the tests of its module"
      /// All tests passed.
      case survived = "survived"
      /// No test executes the code.
      case unreached = "not executed"
      /// The code does not compile with the change.
      case uncompiled = "does not compile"
    }

    /// Whether a test found the mutant.
    var isFound: Bool { [.failed, .crashed, .timedOut].contains(kind) }
    /// Whether all suites have run that could find the mutant.
    var isFinal: Bool { kind != .undecided }
  }

  /// Whether the mutant counts, because its code compiles.
  var isPlanted: Bool { outcome?.kind != .uncompiled }
}
