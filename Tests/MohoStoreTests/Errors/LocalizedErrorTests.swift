import Fixtures
import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct LocalizedErrorTests {
  private let store: ModelStore

  init() throws { store = try emptyStore(Episode.self) }

  @Test func storeErrorsDescribeThemselves() throws {
    let error = #expect(throws: StoreError.self) { try store.fetchCount(RowRequest("Episde")) }

    #expect(error?.localizedDescription == error?.description)
  }

  @Test func contextErrorsDescribeThemselves() throws {
    let context = EditingContext(store)
    _ = try context.insert(Episode.self)

    let error = #expect(throws: RowValidationError.self) { try context.save() }

    #expect(error?.localizedDescription == error?.description)
  }
}
