import MohoChanges

/// One state of a result: its rows and their positions.
final class ResultsState: Sendable {
  let query: ResultsQuery
  /// The number of earlier states of the result.
  let generation: Int
  let rows: ResultsRows
  /// The summaries of the sections, or nil without summaries.
  let summaries: SectionSummaries?
  /// A token that marks the generation as in use.
  let token: GenerationToken
  let sectionCache = SectionCache()

  init(
    query: ResultsQuery, generation: Int, rows: ResultsRows, summaries: SectionSummaries?,
    token: GenerationToken
  ) {
    (self.query, self.generation, self.rows) = (query, generation, rows)
    (self.summaries, self.token) = (summaries, token)
  }

  /// The visible rows.
  var index: OrderedIndex { rows.visible }
}
