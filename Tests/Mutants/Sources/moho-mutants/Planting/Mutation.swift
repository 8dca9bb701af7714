/// A change of a source file, and the code that switches between the original and the change.
struct Mutation {
  /// Stands for the condition that the mutant is on.
  static let condition = "MOHO_MUTANT_IS_ON"

  var identity: MutantIdentity
  /// The bytes of the file that ``code`` replaces.
  var bytes: Range<Int>
  /// The lines of ``bytes``, from 1. No other mutant of the file has one of them.
  var lines: ClosedRange<Int>
  /// The lines of the innermost function or type.
  var functionLines: ClosedRange<Int>
  /// The code with both variants. It has as many lines as the original.
  var code: String
}

/// Identifies a mutant as long as the changed code and the names around it stay.
struct MutantIdentity: Codable, Hashable {
  /// The path from the root of the repository.
  var file: String
  /// The names of the types and of the function, such as `Queue.append(_:)`.
  var function: String
  /// The original code and the changed code.
  var change: String
  /// The number of equal changes before this one in the function.
  var occurrence = 0

  /// The second folder of the path.
  var module: String {
    let folders = file.split(separator: "/")
    return folders.count > 1 ? String(folders[1]) : ""
  }
}

extension MutantIdentity {
  /// The place among all mutants, which is random, and the same in all versions of the sources.
  func order(seed: UInt64) -> UInt64 {
    var random = SeededRandom(seed ^ "\(file)\n\(function)\n\(change)\n\(occurrence)".stableHash)
    return random.next()
  }
}
