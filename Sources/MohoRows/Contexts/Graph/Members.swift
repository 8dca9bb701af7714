/// The rows that a row of a context is linked to by a relationship that is not
/// stored in a column.
///
/// Before the stored members are loaded, the value contains only the changes.
struct Members: Sendable {
  /// The stored members in order, or nil before they are loaded.
  private(set) var stored: [Int]?
  /// The stored positions of the members.
  private(set) var positions: [Int64?] = []
  /// The current members, once they are loaded.
  private(set) var current: [Int] = []
  private var set: Set<Int> = []
  /// The changes that were made while the members were not loaded.
  private var unloadedEdits = Edits()

  /// The number of assignments of all members since the members were saved, less
  /// the number of undone ones.
  private var assignments = 0

  /// Whether all members were assigned since they were saved. Otherwise, members
  /// were added and removed one by one.
  var isAssigned: Bool { assignments != 0 }

  mutating func countAssignment(isUndone: Bool) { assignments += isUndone ? -1 : 1 }

  /// The differences from the stored members.
  struct Edits: Sendable {
    var added: [Int] = []
    var removed: [Int] = []
    var isEmpty: Bool { added.isEmpty && removed.isEmpty }
  }

  /// Creates members that are not loaded.
  init() {}

  /// The members of a new row.
  static let none = Members(stored: [])

  private init(stored: [Int]) { self.stored = stored }

  /// Creates members with unsaved changes.
  init(stored: [Int], positions: [Int64?], current: [Int]) {
    self.stored = stored
    self.positions = positions
    self.current = current
    set = Set(current)
  }

  var isLoaded: Bool { stored != nil }

  /// The current members that are available without loading.
  var available: [Int] { isLoaded ? current : unloadedEdits.added }

  /// Returns whether a row is linked, or nil if that requires loading.
  func contains(_ member: Int) -> Bool? {
    if isLoaded { return set.contains(member) }
    if unloadedEdits.added.contains(member) { return true }
    return unloadedEdits.removed.contains(member) ? false : nil
  }

  /// Sets the stored members.
  mutating func load(_ stored: [Int], positions: [Int64?]) {
    let edits = edits
    self.stored = stored
    self.positions = positions
    let removed = Set(edits.removed)
    let known = Set(stored)
    current = stored.filter { !removed.contains($0) } + edits.added.filter { !known.contains($0) }
    set = Set(current)
    unloadedEdits = Edits()
  }

  /// Discards the stored members, but not the changes.
  mutating func unload() {
    unloadedEdits = edits
    stored = nil
    positions = []
    current = []
    set = []
  }

  /// - Returns: The position at which the row was inserted, or nil if the
  ///   members are not loaded.
  @discardableResult
  mutating func link(_ member: Int, at position: Int?) -> Int? {
    guard isLoaded else {
      if let index = unloadedEdits.removed.firstIndex(of: member) {
        unloadedEdits.removed.remove(at: index)
      } else if !unloadedEdits.added.contains(member) {
        unloadedEdits.added.append(member)
      }
      return nil
    }
    guard set.insert(member).inserted else { return nil }
    let position = min(max(0, position ?? current.count), current.count)
    current.insert(member, at: position)
    return position
  }

  /// - Returns: The former position of the row, or nil if the members are not
  ///   loaded.
  @discardableResult
  mutating func unlink(_ member: Int) -> Int? {
    guard isLoaded else {
      if let index = unloadedEdits.added.firstIndex(of: member) {
        unloadedEdits.added.remove(at: index)
      } else if !unloadedEdits.removed.contains(member) {
        unloadedEdits.removed.append(member)
      }
      return nil
    }
    guard set.remove(member) != nil, let position = current.firstIndex(of: member) else {
      return nil
    }
    current.remove(at: position)
    return position
  }

  mutating func move(from: Int, to: Int) {
    guard current.indices.contains(from) else { return }
    let member = current.remove(at: from)
    current.insert(member, at: min(max(0, to), current.count))
  }

  /// Applies a change that another writer made to a link in the store.
  mutating func correct(_ member: Int, isLinked: Bool) {
    guard var stored, stored.contains(member) != isLinked else { return }
    if isLinked {
      stored.append(member)
      positions.append(nil)
      if set.insert(member).inserted { current.append(member) }
    } else {
      if let index = stored.firstIndex(of: member) {
        stored.remove(at: index)
        positions.remove(at: index)
      }
      if set.remove(member) != nil { current.removeAll { $0 == member } }
    }
    self.stored = stored
  }

  /// The changes since the store was read.
  var edits: Edits {
    guard let stored else { return unloadedEdits }
    let known = Set(stored)
    return Edits(
      added: current.filter { !known.contains($0) }, removed: stored.filter { !set.contains($0) })
  }

  /// Returns whether links, or their order if they are ordered, have been edited.
  /// Links that are lost because a member is deleted are not edits.
  func isChanged(isOrdered: Bool, _ isAlive: (Int) -> Bool = { _ in true }) -> Bool {
    guard let stored else {
      return (unloadedEdits.added + unloadedEdits.removed).contains { isAlive($0) }
    }
    if isOrdered {
      if stored == current { return false }
      return stored.filter(isAlive) != current.filter(isAlive)
    }
    if stored.count == set.count, stored.allSatisfy({ set.contains($0) }) { return false }
    let edits = edits
    return (edits.added + edits.removed).contains { isAlive($0) }
  }

  /// Marks the current members as stored, except those that have been deleted.
  mutating func markSaved(
    positions: [Int64?]?, _ isAlive: (Int) -> Bool = { _ in true }
  ) {
    if isLoaded {
      let stored = current.filter(isAlive)
      self.stored = stored
      self.positions = positions ?? Array(repeating: nil, count: stored.count)
    }
    unloadedEdits = Edits()
    assignments = 0
  }

  /// Restores the stored members.
  mutating func revert() {
    unloadedEdits = Edits()
    assignments = 0
    guard let stored else { return }
    current = stored
    set = Set(stored)
  }
}
