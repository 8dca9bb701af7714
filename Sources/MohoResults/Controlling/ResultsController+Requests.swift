import MohoMapping
public import MohoStore

extension ResultsController {
  /// Follows another request from now on.
  ///
  /// The new result arrives as any other update, whose changes lead from the old
  /// result to the new one: rows of both stay, or move where the order is
  /// another.
  ///
  /// ```swift
  /// try controller.setRequest(request.filter { $0.title.contains(searchText) })
  /// ```
  ///
  /// - Throws: As ``init(_:in:startingWith:)``; the request is then the one before.
  /// - Complexity: O(*n*) in the number of rows of both results.
  public func setRequest(_ request: ModelRequest<Model>) throws {
    try follower.follow(request, sectionedBy: nil)
  }

  /// Follows another request from now on, in sections of rows that have one
  /// value of a key.
  ///
  /// - Throws: As ``init(_:in:sectionedBy:startingWith:)``; the request is then the one
  ///   before.
  /// - Complexity: As ``setRequest(_:)``.
  public func setRequest<Section>(
    _ request: ModelRequest<Model>, sectionedBy keyPath: KeyPath<Model, Section>
  ) throws {
    try follower.follow(request, sectionedBy: .key(KeyName(keyPath, of: Model.self)))
  }

  /// Follows another request from now on, in sections of rows that have one
  /// value that is made of keys.
  ///
  /// - Throws: As ``init(_:in:sectionedByValue:startingWith:)``; the request is then the one
  ///   before.
  /// - Complexity: As ``setRequest(_:)``.
  public func setRequest<Section: RequestOperand>(
    _ request: ModelRequest<Model>, sectionedByValue section: (ModelKeys<Model>) -> Section
  ) throws {
    try follower.follow(request, sectionedBy: ModelRequest<Model>.operand(section))
  }
}
