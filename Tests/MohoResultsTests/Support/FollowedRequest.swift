import MohoMapping
import MohoRows

/// A named request of books.
struct FollowedRequest {
  let name: String
  let request: ModelRequest<Book>
  let section: Operand?
  /// Whether the request follows relationships.
  let isRelated: Bool

  /// The summaries of the sections. Only those of a related request read related rows.
  var summaries: RequestAggregates {
    BookSummaries.aggregates(request, readsShelves: isRelated)
  }

  init(
    _ name: String, _ request: ModelRequest<Book>, sectionedBy section: Operand? = nil,
    isRelated: Bool = false
  ) {
    self.name = name
    self.request = request.batchSize(7)
    self.section = section
    self.isRelated = isRelated
  }
}
