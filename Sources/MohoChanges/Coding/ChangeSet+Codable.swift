/// The JSON form of a change set, for programs that follow a list from outside.
///
/// ```json
/// {
///   "sections": [{"delete": 1, "key": 2}],
///   "summaries": [{"update": 0, "key": 1, "changed": ["sum(minutes)"]}],
///   "rows": [
///     {"id": 4, "old": [1, 0]},
///     {"id": 3, "old": [0, 2], "new": [0, 0], "move": true, "changed": ["title"]},
///     {"id": 5, "new": [0, 3]}
///   ]
/// }
/// ```
///
/// The form is stable: later versions may add members, and do not change the
/// meaning of these. <doc:ReadingChangeSets> describes how to apply it.
extension ChangeSet: Codable {
  private enum CodingKeys: String, CodingKey {
    case sections
    case summaries
    case rows
  }

  /// Decodes a change set and checks that its records form one.
  ///
  /// A decoded change set has the properties of a computed one, except for the
  /// minimal number of moves. Records may be in any order. Whether the paths
  /// exist in a list is checked by ``OrderedIndex/applying(_:)``.
  ///
  /// - Throws: A `DecodingError`. If the records contradict each other, its
  ///   underlying error is a ``ChangeSetError``.
  /// - Complexity: O(*k* log *k*) for *k* records.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let sections = try container.decodeIfPresent([SectionChange].self, forKey: .sections) ?? []
    let updates = try container.decodeIfPresent([SectionChange].self, forKey: .summaries) ?? []
    self.init(
      sections: sections + updates,
      rows: try container.decodeIfPresent([RowChange].self, forKey: .rows) ?? [])
    do throws(ChangeSetError) {
      try validate()
    } catch {
      throw error.decodingError(at: decoder.codingPath)
    }
  }

  /// Encodes the deleted and inserted sections, the updated summaries, and the
  /// rows. Empty arrays are omitted.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let updates = sections.filter { $0.kind == .update }
    // Programs that do not know summaries expect only other records of sections.
    if updates.count < sections.count {
      try container.encode(sections.filter { $0.kind != .update }, forKey: .sections)
    }
    if !updates.isEmpty { try container.encode(updates, forKey: .summaries) }
    if !rows.isEmpty { try container.encode(rows, forKey: .rows) }
  }
}

extension ChangeSetError {
  func decodingError(at codingPath: [any CodingKey]) -> DecodingError {
    DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath, debugDescription: description, underlyingError: self))
  }
}
