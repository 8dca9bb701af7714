import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Reading: MappedModel, Equatable {
  var value: Double
  var note = ""

  static let mapping = Mapping(
    "Reading", Reading.init, .key("value", \.value, .unique), .key("note", \.note))
}

private struct Remark: MappedModel {
  var text: String

  static let mapping = Mapping("Remark", Remark.init, .key("text", \.text))
}

/// A deletion that throws deletes nothing, even if its transaction goes on.
@Suite(.allEngines) struct FailedDeletionTests {
  @Test func aModelWithoutAStorableKeyUndoesTheDeletionsBeforeIt() throws {
    let store = try emptyStore(Reading.self)
    try store.write { try $0.save([Reading(value: 1), Reading(value: 2)]) }

    try store.write { writer in
      #expect(throws: MappingError.self) {
        try writer.delete([Reading(value: 1), Reading(value: .nan), Reading(value: 2)])
      }
      try writer.save(Reading(value: 3))
    }

    let values = try store.fetch(ModelRequest<Reading>()).map(\.value)
    #expect(values.sorted() == [1, 2, 3])
  }

  @Test func noModelsNeedNoUniqueKey() throws {
    let store = try emptyStore(Remark.self)

    let count = try store.write { writer in
      #expect(throws: StoreError.self) { try writer.delete([Remark(text: "a")]) }
      return try writer.delete([Remark]())
    }

    #expect(count == 0)
  }
}
