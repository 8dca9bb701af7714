import MohoChanges
import MohoMapping
import MohoRows

extension GroupsSnapshot {
  /// Changes the values of groups.
  ///
  /// - Parameters:
  ///   - newValues: The values of groups that may have changed. Empty for groups without
  ///     rows.
  ///   - names: The names of the values.
  /// - Complexity: O(*k* (log *g* + *g* / 2,000)) for *k* groups among *g*, and O(log *g*)
  ///   comparisons for each group that moves. O(*g* log *g*) if many groups move.
  mutating func update(
    _ newValues: [Int64: [FieldContent]], _ order: GroupOrder, names: [String]
  ) throws {
    if source == nil {
      source = GroupSource()
      self.names = names
      orderingColumns = order.orderingColumns
      window = RowWindow(offset: order.offset, limit: order.limit)
    }
    let evaluator = order.hasConditions ? try order.evaluator() : nil
    var changed: [Int64] = []
    var moved: Set<Int64> = []
    for (group, all) in newValues {
      let isShown = !all.isEmpty && evaluator?.matches(order.subject(all)) != false
      let (old, new) = (values[group], isShown ? all : [])
      if old == new { continue }
      changed.append(group)
      values[group] = new
      if old.isEmpty || new.isEmpty || orderingColumns.contains(where: { old[$0] != new[$0] }) {
        moved.insert(group)
      }
    }
    if changed.isEmpty { return }
    log.record(changed)
    if !moved.isEmpty { try place(moved, order) }
  }

  /// Puts groups at the positions that their values require.
  private mutating func place(_ moved: Set<Int64>, _ order: GroupOrder) throws {
    let (old, values) = (all, values)
    func sorted(_ groups: Set<Int64>) -> [(group: Int64, sortValues: [FieldContent])] {
      groups.filter { !values[$0].isEmpty }.map { ($0, order.sortValues(of: values[$0])) }
        .sorted { order.order($0.sortValues, $1.sortValues) < 0 }
    }
    func placements() -> [RowPlacement] {
      sorted(moved).map { group, newValues in
        let predecessor = old.lastRow(excluding: moved) { other in
          order.order(ofValues: values[other], newValues) < 0
        }
        return RowPlacement(group, after: predecessor)
      }
    }
    // Sorting all groups takes less time than finding the positions of many.
    let isSmall = moved.count <= old.count / 8
    let placed =
      isSmall
      ? try? old.updated(removing: moved.filter { values[$0].isEmpty }, placing: placements())
      : nil
    all = placed?.index ?? OrderedIndex(rowIDs: sorted(moved.union(old.rowIDs)).map(\.group))
    index =
      isSmall && !window.includesAllRows
      ? try window.updated(index, from: old, to: all, touched: moved).index
      : try window.visibleRows(of: all)
  }
}
