import MohoMapping

/// An entry of the index beside a list: where the rows under a letter begin.
public struct ResultsIndexTitle: Sendable, Hashable {
  /// What is shown.
  public let title: String
  /// The number of the first section that has the title.
  public let section: Int
}

extension ResultsSnapshot {
  /// The entries of the index beside the list, in the order of the sections:
  /// one for each run of sections that have the same title. Sections without a
  /// title are left out.
  ///
  /// ```swift
  /// let titles = snapshot.indexTitles { section in section.name.prefix(4).description }
  /// ```
  ///
  /// - Parameter title: The title of a section; its first letter unless given.
  /// - Complexity: O(*s*) for *s* sections.
  public func indexTitles(
    _ title: (ResultsSection) -> String = { $0.indexTitle }
  ) -> [ResultsIndexTitle] {
    var titles: [ResultsIndexTitle] = []
    var last = ""
    for (number, section) in sections.enumerated() {
      let title = title(section)
      defer { last = title }
      if title.isEmpty || title == last { continue }
      titles.append(ResultsIndexTitle(title: title, section: number))
    }
    return titles
  }
}
