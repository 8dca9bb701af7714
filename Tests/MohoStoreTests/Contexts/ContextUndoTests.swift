import Campaigns
import MohoMapping
import StoreTesting
import Testing

@testable import MohoRows

@Suite(.allEngines) struct ContextUndoTests {
  private func context() throws -> EditingContext { EditingContext(try Library.store()) }

  @Test func eachCallIsUndoneAndRedone() throws {
    let context = try context()
    let row = try context.make("Guest", ["name": "Ada"])
    let episode = try context.make("Episode", ["title": "a"])
    try row.add(episode, to: "episodes")
    try context.delete(row)

    #expect(row.state == .detached)
    #expect(try episode.relatedRows("guests") == [])
    #expect(context.undo())
    #expect(row.state == .inserted)
    #expect(try episode.relatedRows("guests") == [row])
    #expect(context.undo())
    #expect(try row.relatedRows("episodes") == [])
    #expect(context.redo())
    #expect(context.redo())
    #expect(!context.redo())
    #expect(row.state == .detached)
    while context.undo() {}
    #expect(!context.hasChanges)
  }

  @Test func undoRestoresThePositionInAnOrderThatWasNotRead() throws {
    let maker = try context()
    let first = try maker.make("Podcast", ["title": "first"])
    for title in ["a", "b", "c"] {
      try first.add(maker.make("Episode", ["title": title]), to: "episodes")
    }
    _ = try maker.make("Podcast", ["title": "second"])
    try maker.save()
    let editor = EditingContext(maker.store)
    let podcasts = try editor.fetch("Podcast")
    let episodes = try editor.fetch("Episode")
    #expect(try podcasts.texts("title") == ["first", "second"])
    #expect(try episodes.texts("title") == ["a", "b", "c"])

    try podcasts[1].add(episodes[0], to: "episodes")
    #expect(try podcasts[0].relatedRows("episodes") == [episodes[1], episodes[2]])
    editor.undo()

    #expect(try podcasts[0].relatedRows("episodes") == episodes)
    #expect(try podcasts[1].relatedRows("episodes") == [])
  }

  @Test func successiveChangesOfOneKeyAreOne() throws {
    let context = try context()
    let (one, two) = (try context.insert("Guest"), try context.insert("Guest"))
    for text in ["A", "Ad", "Ada"] { try one.set("name", to: text) }
    try two.set("name", to: "Bea")
    try one.set("name", to: "Cleo")

    context.undo()
    #expect(try one["name"] == .string("Ada"))
    context.undo()
    context.undo()
    #expect(try one["name"] == .null)
  }

  /// A step of ``everySequenceOfEditsIsUndoneStepByStep()``.
  private enum Step: CaseIterable {
    case setFirst, setSecond, undo, redo, save

    var key: Int? { self == .setFirst ? 0 : self == .setSecond ? 1 : nil }
  }

  /// The values of two keys, and those that undo and redo restore.
  private struct UndoneValues {
    var now: [Int]
    var undo: [[Int]] = []
    var redo: [[Int]] = []
    var lastKey: Int?

    mutating func perform(_ step: Step, _ value: Int) {
      if let key = step.key {
        if lastKey != key || undo.isEmpty { undo.append(now) }
        (redo, lastKey) = ([], key)
        now[key] = value
      } else if step == .undo, let before = undo.popLast() {
        redo.append(now)
        (now, lastKey) = (before, nil)
      } else if step == .redo, let after = redo.popLast() {
        undo.append(now)
        (now, lastKey) = (after, nil)
      } else if step == .save {
        lastKey = nil
      }
    }
  }

  @Test func everySequenceOfEditsIsUndoneStepByStep() throws {
    let keys = ["first", "second"]
    let parent = EditingContext(
      try emptyStore(entities: Entity("Row", attributes: keys.map { Attribute($0, .int64) })))
    parent.undoLevels = 0
    let row = try parent.make("Row", ["first": 0, "second": 0])
    try parent.save()
    var value = 0
    func check(_ steps: [Step]) throws {
      let child = EditingContext(childOf: parent)
      let row = try child.row(row.identity)
      func values() throws -> [Int] { try keys.map { try row.value($0, as: Int.self) } }
      var expected = UndoneValues(now: try values())
      for step in steps + Array(repeating: .undo, count: steps.count)
        + Array(repeating: .redo, count: steps.count)
      {
        value += 1
        switch step {
        case .undo: #expect(child.undo() == !expected.undo.isEmpty, "\(steps)")
        case .redo: #expect(child.redo() == !expected.redo.isEmpty, "\(steps)")
        case .save: try child.save()
        default: try row.set(keys[step.key ?? 0], to: value)
        }
        expected.perform(step, value)
        #expect(try values() == expected.now, "\(steps)")
      }
    }

    var sequences: [[Step]] = [[]]
    for _ in 0..<Campaign.count(short: 4, full: 5) {
      sequences = sequences.flatMap { one in Step.allCases.map { one + [$0] } }
    }
    for steps in sequences { try check(steps) }
  }

  @Test func savingEndsCoalescingButNotUndo() throws {
    let context = try context()
    let row = try context.make("Guest", ["name": "A"])
    try context.save()
    try row.set("name", to: "B")
    try context.save()
    try row.set("name", to: "C")

    context.undo()
    #expect(try row["name"] == .string("B"))
    #expect(row.state == .unchanged)
    context.undo()
    #expect(try row["name"] == .string("A"))
    #expect(row.state == .updated)
    context.undo()
    context.undo()
    #expect(row.state == .deleted)
    try context.save()
    #expect(row.state == .detached)
    context.redo()
    #expect(row.state == .inserted)
    context.redo()
    try context.save()
    #expect(try context.store.values("SELECT name FROM \"Guest\"") == ["\"A\""])
  }

  @Test func groupsAreUndoneTogether() throws {
    let context = try context()
    let row = try context.make("Guest", ["name": "A"])
    context.beginUndoGroup("Rename")
    try row.set("name", to: "B")
    try context.undoGroup("Inner") { try row.set("name", to: "C") }
    _ = try context.make("Guest", ["name": "D"])
    context.endUndoGroup()
    context.endUndoGroup()

    #expect(context.undoName == "Rename")
    context.undo()
    #expect(context.redoName == "Rename")
    #expect(try row["name"] == .string("A"))
    #expect(try context.fetch("Guest").count == 1)
    try row.set("name", to: "E")
    #expect(!context.canRedo)
  }

  @Test func aCallThatThrowsLeavesNothingToUndo() throws {
    let context = try context()
    let row = try context.insert("Podcast")
    #expect(throws: StoreError.self) { try row.add(context.insert("Guest"), to: "episodes") }
    while context.undo() {}
    #expect(!context.hasChanges)
  }

  @Test func rollbackAndResetForgetWhatCouldBeUndone() throws {
    let context = try context()
    let row = try context.make("Guest", ["name": "A"])
    try context.save()
    try row.set("name", to: "B")
    let new = try context.make("Guest", ["name": "C"])
    context.rollback()
    #expect(row.state == .unchanged)
    #expect(new.state == .detached)
    #expect(try row["name"] == .string("A"))
    #expect(!context.canUndo)
    try row.set("name", to: "D")
    context.reset()
    #expect(!context.canUndo)
  }

  @Test(arguments: [(nil, 5), (3, 3), (0, 0)])
  func levelsLimitWhatCanBeUndone(levels: Int?, count: Int) throws {
    var stack = UndoStack<Int> { _, _ in nil }
    stack.levels = levels
    for number in 0..<5 { stack.record([number]) }
    var undone: [[Int]] = []
    while let group = stack.undo() { undone.append(group.changes) }
    #expect(undone == (0..<5).suffix(count).reversed().map { [$0] })
  }

  @Test func undoStackCoalescesInsideGroupsAndOnlyNeighbors() throws {
    // Changes coalesce if they have the same tens digit.
    var stack = UndoStack<[Int]> { one, other in
      one[0] / 10 == other[0] / 10 ? [one[0], other[1]] : nil
    }
    stack.begin(name: nil)
    stack.record([[11, 1], [12, 2]])
    stack.record([[13, 3]])
    stack.record([[20, 4]])
    stack.record([[14, 5]])
    let ends = [stack.end(), stack.end()]
    #expect(ends == [true, false])
    stack.record([[15, 6]])
    stack.record([[16, 7]])
    stack.seal()
    stack.record([[17, 8]])

    var undone: [[[Int]]] = []
    while let group = stack.undo() { undone.append(group.changes) }
    #expect(undone == [[[17, 8]], [[15, 7]], [[11, 3], [20, 4], [14, 5]]])
  }
}
