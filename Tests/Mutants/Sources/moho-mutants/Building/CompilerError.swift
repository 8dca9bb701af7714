import Foundation

/// An error of the compiler in a file of the repository.
struct CompilerError: Hashable {
  /// The path from the root of the repository.
  var file: String
  var line: Int
  var message: String

  /// The errors in the output of a build.
  static func errors(in output: String, root: URL) -> Set<CompilerError> {
    var errors: Set<CompilerError> = []
    for line in output.split(separator: "\n") {
      // Paths may be printed without resolving links.
      guard let match = line.firstMatch(of: /(\/[^:]+):(\d+):\d+: error: (.*)/),
        let range = match.1.range(of: "/\(root.lastPathComponent)/"),
        let number = Int(match.2)
      else { continue }
      errors.insert(
        CompilerError(
          file: String(match.1[range.upperBound...]), line: number, message: String(match.3)))
    }
    return errors
  }
}

extension MutantPlan {
  /// Marks the mutants that cause errors: those on a line with an error, else those in the same
  /// function, else those in the same file.
  ///
  /// - Returns: The number of marked mutants.
  mutating func drop(for errors: Set<CompilerError>) -> Int {
    var dropped: Set<Int> = []
    for error in errors {
      let candidates = mutants.filter {
        $0.identity.file == error.file && $0.isPlanted && mutations[$0.number] != nil
      }
      let near: (ClosedRange<Int>?) -> Bool = { $0?.contains(error.line) == true }
      let onLine = candidates.filter { near(mutations[$0.number]?.lines) }
      let inFunction = candidates.filter { near(mutations[$0.number]?.functionLines) }
      let chosen = onLine.isEmpty ? inFunction.isEmpty ? candidates : inFunction : onLine
      dropped.formUnion(chosen.map(\.number))
    }
    for number in dropped {
      setOutcome(.init(kind: .uncompiled, test: nil, seconds: 0), of: number)
    }
    return dropped.count
  }
}
