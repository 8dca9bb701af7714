/// Which old section stands where after a batch update.
struct SectionOrigins {
  /// For each section in new space its number in old space, `nil` if it is
  /// inserted.
  let numbers: [Int?]

  /// Puts moved sections at their targets and lets the others fill the free
  /// places in order.
  init(_ operations: TableOperations, before: Int, after: Int) {
    var targets: [Int: Int] = [:]
    for move in operations.movedSections { targets[move.to] = move.from }
    let placed = Set(operations.deletedSections).union(operations.movedSections.map(\.from))
    let inserted = Set(operations.insertedSections)

    var remaining = (0..<before).filter { !placed.contains($0) }.makeIterator()
    numbers = (0..<after).map { section in
      if inserted.contains(section) { return nil }
      return targets[section] ?? remaining.next()
    }
  }
}
