import MohoChanges
import MohoMapping
import Synchronization

/// The sections of one state of a result, which are computed on first use.
final class SectionCache: Sendable {
  private let sections = Lock<[ResultsSection]?>(nil)

  /// Returns the sections of the state's index.
  func sections(of index: OrderedIndex, _ summaries: SectionSummaries?) -> [ResultsSection] {
    sections.withLock { sections in
      if let sections { return sections }
      let all = zip(index.sectionKeys, index.sectionCounts).enumerated().map { section, entry in
        ResultsSection(
          index: section, key: entry.0, count: entry.1,
          summary: summaries?.summary(ofSection: section))
      }
      sections = all
      return all
    }
  }
}
