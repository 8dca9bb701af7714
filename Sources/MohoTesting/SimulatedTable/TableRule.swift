/// The rules of a batch update, as table and collection views enforce them.
///
/// E1 to E20 are what `UITableView` and `UICollectionView` raise exceptions
/// for, or crash on. The last four are what users see when a batch is legal and
/// still wrong.
public enum TableRule: String, CaseIterable, Sendable {
  /// A deleted, reloaded or moved section exists before the update.
  case e1
  /// A deleted, reloaded, moved or reconfigured row exists before the update.
  case e2
  /// An inserted section or row, the target of a move and a reconfigured row
  /// exist after the update.
  case e3
  /// No section and no row is deleted, inserted or reloaded twice.
  case e4
  /// No row is both deleted and moved.
  case e5
  /// No row is both reloaded and moved.
  case e6
  /// No row is both deleted and reloaded.
  case e7
  /// No place takes both an inserted and a moved row.
  case e8
  /// No row or section moves to two places, and no place takes two of them.
  case e9
  /// No row moves out of a deleted section.
  case e10
  /// No row moves into an inserted section.
  case e11
  /// No section is deleted and moved or reloaded, and no place takes both an
  /// inserted and a moved section.
  case e12
  /// No row changes inside a section that moves.
  case e13
  /// Nothing is reloaded in a batch that moves anything.
  case e14
  /// The sections after the update are those before it, less the deleted, plus
  /// the inserted ones.
  case e15
  /// The rows of a section after the update are those before it, less the
  /// deleted and those moved out, plus the inserted and those moved in.
  case e16
  /// The data source has the counts of the table when the batch opens.
  case e17
  /// The data source has left the old counts when the batch ends.
  case e18
  /// No section moves to its own number.
  case e19
  /// No batch opens while another one is open.
  case e20
  /// Each cell stands where the data source has its row.
  case contents
  /// Each cell shows the content that the data source has for its row.
  case stale
  /// In strict mode, no row changes inside a section that goes, comes or is
  /// reloaded as a whole.
  case redundant
  /// In minimal mode, no cell is drawn again for a row that shows the same and
  /// could have kept its cell.
  case overRendered
}
