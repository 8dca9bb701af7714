import MohoMapping

/// The links of one row by one relationship: those that a context has read, those
/// of the context, and those that the store or the parent context has now. Decides
/// how to save them.
struct ComparedLinks {
  let read: [Int]
  let mine: [Int]
  let theirs: [Int]
  let positions: [Int64?]
  let isOrdered: Bool
  let isToMany: Bool
  /// Whether all links were assigned, instead of being added and removed one by
  /// one.
  let isAssigned: Bool

  private var readSet: Set<Int> { Set(read) }
  var added: [Int] { mine.filter { !readSet.contains($0) } }
  var removed: Set<Int> { readSet.subtracting(mine) }

  /// Whether the source has other links than those that were read. Differences
  /// that the context has made, too, do not count.
  var differs: Bool {
    let (read, mine, theirs) = (readSet, Set(mine), Set(theirs))
    if !theirs.subtracting(read).isSubset(of: mine) { return true }
    if !read.subtracting(theirs).isDisjoint(with: mine) { return true }
    return isOrdered && (areTheirsMoved || areAdditionsMoved)
  }

  /// Whether both sides may have made changes that exclude each other.
  var isConflict: Bool { differs && (isAssigned || areMineMoved || !isToMany) }

  private var areMineMoved: Bool {
    let (removed, added) = (removed, added)
    return isOrdered && mine != read.filter { !removed.contains($0) } + added
  }

  private var areTheirsMoved: Bool {
    let (read, theirs) = (readSet, Set(theirs))
    return self.read.filter { theirs.contains($0) } != self.theirs.filter { read.contains($0) }
  }

  /// Whether both sides have added the same rows in another order.
  private var areAdditionsMoved: Bool {
    let common = Set(theirs).intersection(added)
    return isOrdered && theirs.filter { common.contains($0) } != mine.filter { common.contains($0) }
  }

  /// Whether both sides have changed what can have only one value: the order, or
  /// the row of a to-one relationship.
  var isContradiction: Bool {
    isToMany ? areMineMoved && areTheirsMoved || areAdditionsMoved : mine != read
  }

  /// Returns the links with the additions and removals of both sides. Without
  /// differences, these are the links of the context.
  ///
  /// - Parameter choice: The side that determines what can have only one value.
  func merged(_ choice: KeyChoice) -> [Int] {
    guard differs else { return mine }
    guard isToMany else { return choice == .mine ? mine : theirs }
    let (added, removed) = (added, removed)
    let final = Set(theirs).subtracting(removed).union(added)
    let isContradiction = isContradiction
    let takesMyOrder = isContradiction ? choice == .mine : areMineMoved
    let (first, second) = takesMyOrder ? (mine, theirs) : (theirs, added)
    let known = Set(first)
    return first.filter { final.contains($0) }
      + second.filter { final.contains($0) && !known.contains($0) }
  }
}
