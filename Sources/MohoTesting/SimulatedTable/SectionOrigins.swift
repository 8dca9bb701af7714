/// The old number of each section after a batch update.
struct SectionOrigins {
  /// The number in old space of each section in new space, or nil if it is
  /// inserted.
  let numbers: [Int?]

  /// Assigns moved sections to their targets, and the other sections to the
  /// remaining numbers in order.
  init(_ operations: TableOperations, before: Int, after: Int) {
    var targets: [Int: Int] = [:]
    for move in operations.movedSections { targets[move.to] = move.from }
    let assigned = Set(operations.deletedSections).union(operations.movedSections.map(\.from))
    let inserted = Set(operations.insertedSections)

    var remaining = (0..<before).filter { !assigned.contains($0) }.makeIterator()
    numbers = (0..<after).map { section in
      if inserted.contains(section) { return nil }
      return targets[section] ?? remaining.next()
    }
  }
}
