import Foundation

/// The mutants of the chosen modules, in the current sources.
struct MutantPlan {
  /// All mutants, with their outcomes so far.
  private(set) var mutants: [Mutant]
  /// The mutations of ``mutants`` that exist in the current sources, by number.
  private(set) var mutations: [Int: Mutation] = [:]
  private(set) var files: [String: SourceFile] = [:]

  /// Finds the mutants of earlier runs again, and adds mutants of modules that have too few.
  ///
  /// - Parameters:
  ///   - count: The number of mutants for each module.
  ///   - seed: The order in which mutations are chosen.
  ///   - isBuilt: Whether a build has the mutants of earlier runs, also those whose code has
  ///     changed since, and can have no others.
  init(
    root: URL, paths: [String], modules: [String], count: Int, seed: UInt64, mutants: [Mutant],
    isBuilt: Bool
  ) throws {
    self.mutants = isBuilt ? mutants : []
    if isBuilt { return }
    let old = Set(mutants.map(\.identity.file))
    let sources = try paths.filter { path in
      old.contains(path) || modules.contains { path.hasPrefix("Sources/\($0)/") }
    }.map { try SourceFile(path: $0, root: root) }
    for file in sources { files[file.path] = file }
    let found = Dictionary(
      uniqueKeysWithValues: sources.flatMap(\.mutations).map { ($0.identity, $0) })
    for var mutant in mutants {
      guard let mutation = found[mutant.identity] else { continue }
      mutant.line = mutation.lines.lowerBound
      self.mutants.append(mutant)
      mutations[mutant.number] = mutation
    }
    var next = (mutants.map(\.number).max() ?? 0) + 1
    for module in modules {
      let candidates = sources.filter { $0.path.hasPrefix("Sources/\(module)/") }
        .flatMap(\.mutations).map { (order: $0.identity.order(seed: seed), mutation: $0) }
        .sorted { $0.order < $1.order }
      var missing =
        count - mutants.filter { $0.identity.module == module && $0.isPlanted }.count
      for (_, mutation) in candidates where missing > 0 && isFree(mutation) {
        self.mutants.append(
          Mutant(number: next, identity: mutation.identity, line: mutation.lines.lowerBound))
        mutations[next] = mutation
        next += 1
        missing -= 1
      }
    }
  }

  /// Whether no mutant has a line of a mutation.
  private func isFree(_ mutation: Mutation) -> Bool {
    !mutations.values.contains {
      $0.identity.file == mutation.identity.file && $0.lines.overlaps(mutation.lines)
    }
  }
}

extension MutantPlan {
  /// Stores the outcome of a mutant.
  mutating func setOutcome(_ outcome: Mutant.Outcome?, of number: Int) {
    guard let index = mutants.firstIndex(where: { $0.number == number }) else { return }
    mutants[index].outcome = outcome
  }
}
