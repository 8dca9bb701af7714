public import MohoChanges
import MohoMapping
public import MohoRows

/// A section of a result.
public struct ResultsSection: Sendable, Hashable, Identifiable {
  /// The index of the section in its snapshot.
  public let index: Int

  /// The value of the section key that the rows of the section share.
  public let key: SectionKey

  /// The number of rows.
  public let count: Int

  /// The values that a controller computes from the rows of the section: those of the
  /// argument `summaries` of its initializer.
  ///
  /// Nil without summaries. Also nil while a value cannot be computed: a sum of more than 64
  /// bits, or a value of another type that another program has stored.
  public let summary: ValueRow?

  /// The section key, which identifies the section in all states of a result.
  public var id: SectionKey { key }

  /// The section key as text. Empty for rows without a value, and for the single
  /// section of an unsectioned result.
  public var name: String { key.name }

  /// The uppercased first letter of the name, for a section index. Empty if the
  /// name is empty.
  public var indexTitle: String { name.prefix(1).uppercased() }
}

/// An entry of a section index.
public struct ResultsIndexTitle: Sendable, Hashable {
  /// The displayed title.
  public let title: String
  /// The index of the first section with that title.
  public let section: Int
}

extension ResultsSnapshot {
  /// Returns the entries of a section index, in the order of the sections.
  /// There is one entry for each run of sections with the same title. Sections
  /// with an empty title have no entry.
  ///
  /// ```swift
  /// let titles = snapshot.indexTitles { section in section.name.prefix(4).description }
  /// ```
  ///
  /// - Parameter title: A function that returns the title of a section. By default,
  ///   ``ResultsSection/indexTitle``.
  /// - Complexity: O(*s*) for *s* sections.
  public func indexTitles(
    _ title: (ResultsSection) -> String = { $0.indexTitle }
  ) -> [ResultsIndexTitle] {
    var titles: [ResultsIndexTitle] = []
    var last = ""
    for (index, section) in sections.enumerated() {
      let title = title(section)
      defer { last = title }
      if title.isEmpty || title == last { continue }
      titles.append(ResultsIndexTitle(title: title, section: index))
    }
    return titles
  }
}
