public import MohoMapping

/// The rows of a model that break a rule of its mapping, or that cannot be read as the
/// model for another reason.
public struct InvalidRows: Sendable, CustomStringConvertible {
  /// The name of the model's entity.
  public let entity: String
  /// The number of rows.
  public let count: Int
  /// The first rows, in the order of their identities.
  public let failures: [RowFailure]

  /// A Boolean value indicating whether all rows can be read.
  public var isEmpty: Bool { count == 0 }

  /// The number of rows, and the first failures, one in each line.
  public var description: String {
    let title = "\(count) invalid row\(count == 1 ? "" : "s") of `\(entity)`"
    return ([title] + failures.map { "  \($0)" }).joined(separator: "\n")
  }
}

extension StoreReader {
  /// Finds the stored rows that break a rule of a mapping, such as one that a new version
  /// of an app has tightened.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - limit: The maximum number of failures to return. All rows are counted.
  /// - Throws: A ``StoreError`` if the rows cannot be read.
  /// - Complexity: Reads all rows.
  public func invalidRows<Model: MappedModel>(
    of model: Model.Type, limit: Int = 100
  ) throws -> InvalidRows {
    var (count, first): (Int, [RowFailure]) = (0, [])
    for rowIDs in try fetchIdentities(ModelRequest<Model>()).batches {
      var reading = try LossyReading(model, self)
      try reading.read(rowIDs)
      count += reading.failures.count
      first += reading.failures.prefix(max(0, limit - first.count))
    }
    return InvalidRows(entity: Model.mapping.name, count: count, failures: first)
  }
}

extension ModelStore {
  /// Finds the stored rows that break a rule of a mapping.
  ///
  /// - Throws: The errors of ``StoreReader/invalidRows(of:limit:)``.
  public func invalidRows<Model: MappedModel>(
    of model: Model.Type, limit: Int = 100
  ) throws -> InvalidRows {
    try read { try $0.invalidRows(of: model, limit: limit) }
  }
}
