/// The rules of a batch update, as table and collection views enforce them.
///
/// A violation of a numbered rule, E1 to E20, raises an exception in
/// `UITableView` or `UICollectionView`, or crashes it. The other four rules
/// find batches that are legal but produce a wrong or wasteful result.
public enum TableRule: String, CaseIterable, Sendable {
  /// E1: A deleted, reloaded or moved section exists before the update.
  case missingSection
  /// E2: A deleted, reloaded, moved or reconfigured row exists before the
  /// update.
  case missingRow
  /// E3: An inserted section or row, the destination of a move and a
  /// reconfigured row exist after the update.
  case missingDestination
  /// E4: No section or row is deleted, inserted or reloaded twice.
  case repeatedOperation
  /// E5: No row is both deleted and moved.
  case deletedAndMovedRow
  /// E6: No row is both reloaded and moved.
  case reloadedAndMovedRow
  /// E7: No row is both deleted and reloaded.
  case deletedAndReloadedRow
  /// E8: No path receives both an inserted and a moved row.
  case insertedAndMovedRow
  /// E9: No row or section moves twice, and no two of them move to the same
  /// destination.
  case repeatedMove
  /// E10: No row moves out of a deleted section.
  case moveFromDeletedSection
  /// E11: No row moves into an inserted section.
  case moveIntoInsertedSection
  /// E12: No section is deleted and also moved or reloaded, and no section is
  /// both inserted and moved to the same index.
  case conflictingSectionOperations
  /// E13: No row changes inside a section that moves.
  case changeInMovedSection
  /// E14: A batch with moves reloads nothing.
  case reloadWithMove
  /// E15: The number of sections after the update is the number before it,
  /// minus the deleted and plus the inserted sections.
  case wrongSectionCount
  /// E16: The number of rows of a section after the update is the number before
  /// it, minus the rows deleted and moved out, plus the rows inserted and moved
  /// in.
  case wrongRowCount
  /// E17: The data source has the counts of the table when the batch begins.
  case dataSourceUpdatedEarly
  /// E18: The data source no longer has the old counts when the batch ends.
  case dataSourceUpdatedLate
  /// E19: No section moves to its own index.
  case sectionMovedToItself
  /// E20: No batch begins while another one is open.
  case nestedBatch
  /// Each cell is at the path of its row in the data source.
  case contents
  /// Each cell shows the content that its row has in the data source, and each
  /// header the text of its section.
  case stale
  /// In strict mode, no row changes inside a section that is deleted, inserted
  /// or reloaded.
  case redundantOperation
  /// In minimal mode, no cell is drawn again for a row whose content is
  /// unchanged and whose cell could have stayed.
  case unnecessaryRendering

  /// The number of the rule, 1 to 20, if a violation raises an exception in the
  /// views.
  public var number: Int? {
    Self.allCases.firstIndex(of: self).flatMap { $0 < 20 ? $0 + 1 : nil }
  }
}

extension TableRule: CustomStringConvertible {
  /// The name of the rule, after its number if it has one: `E5
  /// deletedAndMovedRow`.
  public var description: String {
    number.map { "E\($0) \(rawValue)" } ?? rawValue
  }
}
