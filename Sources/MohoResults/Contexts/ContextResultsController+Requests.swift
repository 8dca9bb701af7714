import MohoMapping
public import MohoRows

extension ContextResultsController {
  /// Replaces the request, the sections and the summaries.
  ///
  /// The delegate receives the new result as a separate update, before this
  /// method returns. Rows of both results stay, or move if their order differs,
  /// and keep their numbers in the index. Commits that have not been presented
  /// are reported first, as changes of the old result. If a delegate calls this
  /// method, the update follows the current one.
  ///
  /// ```swift
  /// try results.setRequest(request.filter { $0.title.contains(searchText) })
  /// ```
  ///
  /// - Parameters:
  ///   - request: The rows and their order.
  ///   - section: Selects the section key, as in the initializer. Nil for a single section,
  ///     also if the former result has sections.
  ///   - summaries: Selects the values to compute from the rows of each section. None by
  ///     default, also if the former result has summaries.
  /// - Throws: The errors of ``init(_:in:sectionedBy:summaries:)``. The previous request then
  ///   remains in effect.
  /// - Complexity: O(*n*), where *n* is the number of rows of both results.
  public func setRequest(
    _ request: ModelRequest<Model>,
    sectionedBy section: ((ModelKeys<Model>) -> any RequestOperand)? = nil,
    summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] }
  ) throws {
    try follow(
      request, sectionedBy: section.map(ModelRequest<Model>.operand),
      summaries: request.summaries(summaries))
  }
}
