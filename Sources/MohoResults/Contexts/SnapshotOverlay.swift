import MohoChanges
import MohoMapping
import MohoStore

/// What a snapshot of a result in a context shows instead of what the store
/// has.
struct SnapshotOverlay: Sendable {
  let generation: Int
  let index: OrderedIndex
  /// The rows that are shown as the context has them, by their numbers.
  let rows: [Int64: ContextRow]
  let numbers: RowNumbers

  /// The identity in the table of a row that is shown as the store has it.
  func storedIdentity(of number: Int64) -> Int64? {
    guard rows[number] == nil, case .stored(let identity) = numbers.key(of: number) else {
      return nil
    }
    return identity
  }

  /// The model of a row that is shown as the context has it.
  func model<Model: MappedModel>(_ type: Model.Type, of number: Int64) -> Result<Model, any Error>?
  {
    rows[number].map { row in
      Result {
        let mapping = Model.mapping
        try mapping.checkDeclaration()
        return try mapping.model(
          from: ContentDecoder(stored: row.contents.get(), keys: mapping.mappingKeys))
      }
    }
  }
}
