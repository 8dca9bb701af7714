import MohoMapping
public import MohoRows

extension ContextResultsController {
  /// Replaces the request.
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
  /// - Throws: The errors of ``init(_:in:)``, and ``ResultsError`` if the section key
  ///   has binary values. The previous request then remains in effect.
  /// - Complexity: O(*n*), where *n* is the number of rows of both results.
  public func setRequest(
    _ request: ModelRequest<Model>, summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] }
  ) throws {
    try follow(request, sectionedBy: nil, summaries: request.summaries(summaries))
  }

  /// Replaces the request, and sections its result by a key.
  ///
  /// - Throws: ``ResultsError`` if the section key is not the first ordering, and the
  ///   errors of ``setRequest(_:)``. The previous request then remains in effect.
  /// - Complexity: O(*n*), where *n* is the number of rows of both results.
  public func setRequest<Section>(
    _ request: ModelRequest<Model>, sectionedBy keyPath: KeyPath<Model, Section>,
    summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] }
  ) throws {
    try follow(
      request, sectionedBy: .key(KeyName(keyPath, of: Model.self)),
      summaries: request.summaries(summaries))
  }

  /// Replaces the request, and sections its result by a value that is calculated
  /// from keys or read from related rows.
  ///
  /// - Throws: ``ResultsError`` if the value is not the first ordering, and the
  ///   errors of ``setRequest(_:)``. The previous request then remains in effect.
  /// - Complexity: O(*n*), where *n* is the number of rows of both results.
  public func setRequest<Section: RequestOperand>(
    _ request: ModelRequest<Model>, sectionedBy section: (ModelKeys<Model>) -> Section,
    summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] }
  ) throws {
    try follow(
      request, sectionedBy: ModelRequest<Model>.operand(section),
      summaries: request.summaries(summaries))
  }
}
