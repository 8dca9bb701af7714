/// A path of a key that exists in a document, but is not read. What it leads to is
/// an unknown member.
///
/// A key with alternative paths is read at the first path that exists. All other
/// paths of the key that exist, and alternatives that are blocked, are unread.
package struct UnreadPath: Hashable, Sendable {
  /// The position of the keys among all keys of the object.
  let table: Int
  /// The index of the key.
  let key: Int
  /// The position of the path: 0 for the path that is written.
  let path: Int
  /// The number of steps to the value, or to the value that blocks the path.
  let steps: Int
}

extension [FieldKeys] {
  /// Returns the unread paths of an object that has these keys.
  ///
  /// - Parameters:
  ///   - read: Returns the position of the path at which a key is read. Nil if no
  ///     path exists.
  ///   - reach: Returns the number of steps of a path to its value, or to a value
  ///     that blocks it. Nil if the path does not exist.
  package func unreadPaths(
    read: (_ table: Int, _ key: Int) -> Int?, reach: (FieldPath) -> Int?
  ) -> [UnreadPath] {
    var unread: [UnreadPath] = []
    for (position, table) in enumerated() {
      for index in table.withAlternatives {
        let read = read(position, index)
        for (number, path) in table.keys[index].paths.enumerated() where number != read {
          // A key without a value reports the value that blocks its own path.
          guard read != nil || number > 0, let steps = reach(path.valuePath) else { continue }
          unread.append(UnreadPath(table: position, key: index, path: number, steps: steps))
        }
      }
    }
    return unread
  }
}

extension FieldKey {
  /// The path that is written, and the alternatives.
  var paths: [FieldPath] { [source].compactMap { $0 } + alternatives }
}

extension FieldKeys {
  /// Whether a key, or a key of an inlined model, would be read from unknown
  /// members if it was not written.
  ///
  /// - Parameter members: The paths of the members.
  package func isRead(at index: Int, from members: [FieldPath]) -> Bool {
    let key = keys[index]
    let alternatives =
      key.isInlined ? claims(at: index).flatMap(\.alternatives) : key.alternatives
    return alternatives.contains { path in members.contains { $0.overlaps(path) } }
  }
}
