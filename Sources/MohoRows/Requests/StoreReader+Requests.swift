import MohoMapping

extension StoreReader {
  /// Returns the number of rows of a request, without reading the rows.
  ///
  /// - Throws: A ``StoreError`` if the request is invalid.
  public func fetchCount(_ request: some StoreRequest) throws -> Int {
    try session.count(request.rows)
  }

  /// Returns a Boolean value indicating whether a request has any rows. Reads
  /// at most one row.
  ///
  /// - Throws: A ``StoreError`` if the request is invalid.
  public func exists(_ request: some StoreRequest) throws -> Bool {
    try session.exists(request.rows)
  }

  /// Returns the identities of the rows of a request, in order, without reading
  /// their values.
  ///
  /// - Throws: A ``StoreError`` if the request is invalid.
  public func fetchIdentities(_ request: some StoreRequest) throws -> [Int64] {
    try session.identities(of: request.rows)
  }

  /// Returns values of the rows of a request, in order.
  ///
  /// ```swift
  /// let titles = try reader.fetchValues(request) { [$0.title, $0.podcast.title] }
  /// ```
  ///
  /// A ``StoreRequest/distinct(_:)`` request returns equal values only once.
  /// The values must include the values of its orderings. The other values sort
  /// the rows that the orderings consider equal.
  ///
  /// - Throws: A ``StoreError`` if the request is invalid, or a `MappingError`
  ///   if a value does not have the type of its attribute.
  public func fetchValues<Request: StoreRequest>(
    _ request: Request, _ selection: (Request.Keys) -> [any RequestOperand]
  ) throws -> [ValueRow] {
    try fetch(request.values(selection))
  }

  /// Returns values that are computed from all rows of a request.
  ///
  /// ```swift
  /// let total = try reader.fetchAggregates(request) { [.count, .sum($0.length)] }
  /// ```
  ///
  /// - Throws: The errors of ``fetchValues(_:_:)``, and a ``StoreError`` if a
  ///   sum of integers exceeds 64 bits.
  public func fetchAggregates<Request: StoreRequest>(
    _ request: Request, _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> ValueRow {
    try fetchFirst(request.aggregates(groupedBy: { _ in [] }, aggregates))
  }

  /// Returns values that are computed from groups of the rows of a request. The
  /// rows of a group have the same values for some keys. Each result starts
  /// with these values, and the results are sorted by them in ascending order.
  ///
  /// - Throws: The errors of ``fetchAggregates(_:_:)``.
  public func fetchAggregates<Request: StoreRequest>(
    _ request: Request, groupedBy keys: (Request.Keys) -> [any RequestOperand],
    _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> [ValueRow] {
    try fetch(request.aggregates(groupedBy: keys, aggregates))
  }

  /// Explains how the store runs a request for rows. The explanation contains
  /// the SQL, the arguments and the query plan.
  ///
  /// - Throws: A ``StoreError`` if the request is invalid.
  public func explain(_ request: some StoreRequest) throws -> RequestExplanation {
    try session.explain(request.rows)
  }
}

extension ModelStore {
  /// Returns the number of rows of a request, without reading the rows.
  ///
  /// - Throws: The errors of ``StoreReader/fetchCount(_:)``.
  public func fetchCount(_ request: some StoreRequest) throws -> Int {
    try read { try $0.fetchCount(request) }
  }

  /// Returns a Boolean value indicating whether a request has any rows.
  ///
  /// - Throws: The errors of ``StoreReader/exists(_:)``.
  public func exists(_ request: some StoreRequest) throws -> Bool {
    try read { try $0.exists(request) }
  }

  /// Returns the identities of the rows of a request, in order.
  ///
  /// - Throws: The errors of ``StoreReader/fetchIdentities(_:)``.
  public func fetchIdentities(_ request: some StoreRequest) throws -> [Int64] {
    try read { try $0.fetchIdentities(request) }
  }

  /// Returns values of the rows of a request, in order.
  ///
  /// - Throws: The errors of ``StoreReader/fetchValues(_:_:)``.
  public func fetchValues<Request: StoreRequest>(
    _ request: Request, _ selection: (Request.Keys) -> [any RequestOperand]
  ) throws -> [ValueRow] {
    try read { try $0.fetchValues(request, selection) }
  }

  /// Returns values that are computed from all rows of a request.
  ///
  /// - Throws: The errors of ``StoreReader/fetchAggregates(_:_:)``.
  public func fetchAggregates<Request: StoreRequest>(
    _ request: Request, _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> ValueRow {
    try read { try $0.fetchAggregates(request, aggregates) }
  }

  /// Returns values that are computed from groups of the rows of a request.
  ///
  /// - Throws: The errors of ``StoreReader/fetchAggregates(_:groupedBy:_:)``.
  public func fetchAggregates<Request: StoreRequest>(
    _ request: Request, groupedBy keys: (Request.Keys) -> [any RequestOperand],
    _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> [ValueRow] {
    try read { try $0.fetchAggregates(request, groupedBy: keys, aggregates) }
  }

  /// Explains how the store runs a request for rows.
  ///
  /// - Throws: The errors of ``StoreReader/explain(_:)``.
  public func explain(_ request: some StoreRequest) throws -> RequestExplanation {
    try read { try $0.explain(request) }
  }
}
