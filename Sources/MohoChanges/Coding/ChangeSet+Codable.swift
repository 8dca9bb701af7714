/// The JSON form of a change set, for programs that follow a list from outside.
///
/// ```json
/// {
///   "sections": [{"delete": 1, "key": 2}],
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
    self.init(
      sections: try container.decodeIfPresent([SectionChange].self, forKey: .sections) ?? [],
      rows: try container.decodeIfPresent([RowChange].self, forKey: .rows) ?? [])
    do throws(ChangeSetError) {
      try validate()
    } catch {
      throw error.decodingError(at: decoder.codingPath)
    }
  }

  /// Encodes the sections and the rows. Empty arrays are omitted.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if !sections.isEmpty { try container.encode(sections, forKey: .sections) }
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
