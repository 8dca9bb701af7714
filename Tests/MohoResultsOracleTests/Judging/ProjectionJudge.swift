import MohoChanges

/// Applies the projections of a change set to lists of cells, by the rules of a table
/// view's batch updates. Throws if a view would reject them.
struct ProjectionJudge {
  /// A cell that shows the current or the previous content of a row.
  struct Cell {
    let rowID: Int64
    var isFresh: Bool
  }

  let old: ListState
  let new: ListState
  let before: OrderedIndex
  let after: OrderedIndex
  /// Whether the content of a row in both lists changed.
  let isChanged: (Int64) -> Bool

  func check(_ changes: ChangeSet) throws {
    try checkBatch(changes.batchPlan)
    try checkStages(changes.stagedPlan(oldSectionCount: before.sectionCount))
    try checkSteps(changes.sequentialEdits(from: before, to: after))
    try checkRuns(changes.splices(from: before, to: after))
    guard let difference = changes.difference(from: before, to: after) else {
      throw Disagreement("the changes have no difference")
    }
    try checkDifference(difference)
  }

  private var staleCells: [[Cell]] {
    old.rowsOfSections.map { rows in rows.map { Cell(rowID: $0, isFresh: false) } }
  }

  private func checkEnd(_ cells: [[Cell]], _ what: String) throws {
    guard cells.map({ $0.map(\.rowID) }) == new.rowsOfSections else {
      throw Disagreement("\(what) leads to other rows: \(cells.map { $0.map(\.rowID) })")
    }
    for cell in cells.joined() where !cell.isFresh && isChanged(cell.rowID) {
      throw Disagreement("\(what) leaves a stale cell of row \(cell.rowID)")
    }
  }

  private func checkBatch(_ plan: BatchPlan) throws {
    let cells = try perform(plan, on: staleCells, to: new.rowsOfSections, "the batch")
    try checkEnd(cells, "the batch")
  }

  private func checkStages(_ plan: StagedPlan) throws {
    var cells = staleCells
    let (oldRows, newRows) = (old.rowsOfSections, new.rowsOfSections)
    for (number, stage) in plan.stages.enumerated() {
      let rows = stage.sections.map { section -> [Int64] in
        switch section {
        case .old(let index): oldRows[index]
        case .new(let index): newRows[index]
        case .empty: []
        }
      }
      cells = try perform(stage.plan, on: cells, to: rows, "stage \(number)")
    }
    try checkEnd(cells, "the stages")
  }

  /// One batch. Paths of deletions are in old space, paths of insertions in new space.
  private func perform(
    _ plan: BatchPlan, on cells: [[Cell]], to rows: [[Int64]], _ what: String
  ) throws -> [[Cell]] {
    func violation(_ reason: String) -> Disagreement { Disagreement("\(what): \(reason): \(plan)") }
    func isOld(_ path: RowPath) -> Bool {
      cells.indices.contains(path.section) && cells[path.section].indices.contains(path.row)
    }
    func isNew(_ path: RowPath) -> Bool {
      rows.indices.contains(path.section) && rows[path.section].indices.contains(path.row)
    }
    let (deleted, inserted) = (Set(plan.deletedSections), Set(plan.insertedSections))
    guard deleted.count == plan.deletedSections.count, deleted.allSatisfy(cells.indices.contains),
      inserted.count == plan.insertedSections.count, inserted.allSatisfy(rows.indices.contains),
      cells.count - deleted.count + inserted.count == rows.count
    else { throw violation("wrong sections") }
    let sources = plan.deletedRows + plan.movedRows.map(\.from)
    let targets = plan.insertedRows + plan.movedRows.map(\.to)
    guard Set(sources).count == sources.count, Set(targets).count == targets.count else {
      throw violation("two operations of one row")
    }
    guard sources.allSatisfy({ isOld($0) && !deleted.contains($0.section) }) else {
      throw violation("a missing source")
    }
    guard targets.allSatisfy({ isNew($0) && !inserted.contains($0.section) }) else {
      throw violation("a missing destination")
    }

    var result = rows.map { row in row.map { Cell(rowID: $0, isFresh: true) } }
    let (sourceSet, targetSet) = (Set(sources), Set(targets))
    let staying = cells.indices.filter { !deleted.contains($0) }
    let stayed = rows.indices.filter { !inserted.contains($0) }
    for (section, newSection) in zip(staying, stayed) {
      let fixed = cells[section].indices.filter {
        !sourceSet.contains(RowPath(section: section, row: $0))
      }
      let gaps = rows[newSection].indices.filter {
        !targetSet.contains(RowPath(section: newSection, row: $0))
      }
      guard fixed.count == gaps.count else { throw violation("wrong number of rows") }
      for (row, newRow) in zip(fixed, gaps) { result[newSection][newRow] = cells[section][row] }
    }
    for move in plan.movedRows {
      result[move.to.section][move.to.row] = cells[move.from.section][move.from.row]
    }
    guard result.map({ $0.map(\.rowID) }) == rows else { throw violation("leads to other rows") }
    for row in plan.reconfiguredRows {
      guard isOld(row.old), isNew(row.new), !row.changedKeys.isEmpty,
        cells[row.old.section][row.old.row].rowID == rows[row.new.section][row.new.row]
      else { throw violation("reconfigures another cell") }
      result[row.new.section][row.new.row].isFresh = true
    }
    return result
  }

  private func checkSteps(_ edits: [SequentialEdit]) throws {
    var cells = staleCells
    let rows = new.rowsOfSections
    func fail(_ edit: SequentialEdit) -> Disagreement {
      Disagreement("the step \(edit) is invalid: \(edits)")
    }
    func contains(_ path: RowPath, through count: Int) -> Bool {
      cells.indices.contains(path.section)
        && (0..<cells[path.section].count + count).contains(path.row)
    }
    for edit in edits {
      switch edit {
      case .deleteRow(let path):
        guard contains(path, through: 0) else { throw fail(edit) }
        cells[path.section].remove(at: path.row)
      case .insertSection(let section, let key):
        guard (0...cells.count).contains(section), new.sections.contains(where: { $0.key == key })
        else { throw fail(edit) }
        cells.insert([], at: section)
      case .insertRow(let path, let target):
        guard contains(path, through: 1), rows.indices.contains(target.section),
          rows[target.section].indices.contains(target.row)
        else { throw fail(edit) }
        let rowID = rows[target.section][target.row]
        cells[path.section].insert(Cell(rowID: rowID, isFresh: true), at: path.row)
      case .moveRow(let from, let to):
        guard contains(from, through: 0) else { throw fail(edit) }
        let cell = cells[from.section].remove(at: from.row)
        guard contains(to, through: 1) else { throw fail(edit) }
        cells[to.section].insert(cell, at: to.row)
      case .deleteSection(let section):
        guard cells.indices.contains(section), cells[section].isEmpty else { throw fail(edit) }
        cells.remove(at: section)
      case .reconfigureRow(let path, let keys):
        guard contains(path, through: 0), !keys.isEmpty else { throw fail(edit) }
        cells[path.section][path.row].isFresh = true
      case .reconfigureSection(let section, let keys):
        guard cells.indices.contains(section), !keys.isEmpty else { throw fail(edit) }
      }
    }
    try checkEnd(cells, "the steps")
  }

  private func checkRuns(_ splices: [ListSplice]) throws {
    var cells: [Cell] = []
    var place = 0
    for splice in splices {
      guard splice.old.lowerBound >= place, splice.old.upperBound <= old.rowIDs.count,
        splice.new.upperBound <= new.rowIDs.count
      else { throw Disagreement("the runs are out of bounds: \(splices)") }
      cells += old.rowIDs[place..<splice.old.lowerBound].map { Cell(rowID: $0, isFresh: false) }
      guard cells.count == splice.new.lowerBound else {
        throw Disagreement("the runs are not adjacent: \(splices)")
      }
      cells += new.rowIDs[splice.new].map { Cell(rowID: $0, isFresh: true) }
      place = splice.old.upperBound
    }
    cells += old.rowIDs[place...].map { Cell(rowID: $0, isFresh: false) }
    var start = 0
    guard cells.count == new.rowIDs.count else {
      throw Disagreement("the runs leave \(cells.count) rows: \(splices)")
    }
    let sections = new.sections.map { section in
      defer { start += section.count }
      return Array(cells[start..<start + section.count])
    }
    try checkEnd(sections, "the runs")
  }

  private func checkDifference(_ plan: ListDifference) throws {
    guard old.rowIDs.applying(plan.difference) == new.rowIDs else {
      throw Disagreement("the difference leads to other rows: \(plan)")
    }
    var fresh: Set<Int64> = []
    for row in plan.reconfiguredRows {
      guard old.rowIDs.indices.contains(row.old), new.rowIDs.indices.contains(row.new),
        old.rowIDs[row.old] == new.rowIDs[row.new]
      else { throw Disagreement("the difference reconfigures another row: \(plan)") }
      fresh.insert(old.rowIDs[row.old])
    }
    let moved = Set(
      plan.difference.insertions.compactMap { change -> Int64? in
        guard case .insert(_, let rowID, nil) = change else { return nil }
        return rowID
      })
    for rowID in new.rowIDs where old.contains(rowID) && isChanged(rowID) {
      if !fresh.contains(rowID) && !moved.contains(rowID) {
        throw Disagreement("the difference leaves a stale cell of row \(rowID)")
      }
    }
  }
}
