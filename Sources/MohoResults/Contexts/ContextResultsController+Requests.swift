import MohoMapping
public import MohoStore

extension ContextResultsController {
  /// Shows another request from now on.
  ///
  /// The new result is an update of its own, of which the delegate is told before
  /// this returns: rows of both results stay, or move where the order is another,
  /// and keep their numbers in the index. What was committed before, and was not
  /// yet shown, is told first, as a change of the old result. A delegate that
  /// makes the call is told once the cycle has ended that it is in.
  ///
  /// ```swift
  /// try results.setRequest(request.filter { $0.title.contains(searchText) })
  /// ```
  ///
  /// - Throws: As ``init(_:in:)``, and ``ResultsError`` where sections cannot be
  ///   made; the request is then the one before.
  /// - Complexity: O(*n*) in the number of rows of both results.
  public func setRequest(_ request: ModelRequest<Model>) throws {
    try follow(request, sectionedBy: nil)
  }

  /// Shows another request from now on, in sections of rows that have one value
  /// of a key.
  ///
  /// - Throws: As ``setRequest(_:)``.
  /// - Complexity: As ``setRequest(_:)``.
  public func setRequest<Section>(
    _ request: ModelRequest<Model>, sectionedBy keyPath: KeyPath<Model, Section>
  ) throws {
    try follow(request, sectionedBy: .key(KeyName(keyPath, of: Model.self)))
  }

  /// Shows another request from now on, in sections of rows that have one value
  /// that is made of keys.
  ///
  /// - Throws: As ``setRequest(_:)``.
  /// - Complexity: As ``setRequest(_:)``.
  public func setRequest<Section: RequestOperand>(
    _ request: ModelRequest<Model>, sectionedByValue section: (ModelKeys<Model>) -> Section
  ) throws {
    try follow(request, sectionedBy: ModelRequest<Model>.operand(section))
  }
}
