import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Refusal: Error {}

private struct Label: Sendable, Equatable {
  var text: String
}

extension Transform where Value == Label {
  fileprivate static let label = Transform<Label>(
    .string, read: { Label(text: try $0.string(at: $1)) },
    write: { label, encoder, index in
      guard !label.text.isEmpty else { throw Refusal() }
      try encoder.encode(label.text, at: index)
    })
}

private struct Item: MappedModel, Equatable {
  var code: Label

  static let mapping = Mapping("Item", Item.init, .key("code", \.code, .label))
}

private struct Order: MappedModel, Equatable {
  var code = Label(text: "x")
  var items: [Item] = []
  var labels: [Label] = []
  var byName: [String: Label] = [:]
  var people: [Label] = []
  var range = Item(code: Label(text: "x"))

  static let mapping = Mapping(
    "Order", Order.init,
    .key("code", \.code, json: "a.b", .label),
    .key("items", \.items),
    .key("labels", \.labels, Transform<Label>.label.array),
    .key("byName", \.byName, Transform<Label>.label.dictionary),
    .key("people", \.people, json: "people[*].name", Transform<Label>.label.array),
    .inlined("range", \.range))

  static let failing: [(order: Order, path: String, subject: String)] = {
    let label = Label(text: "")
    let items = [Item(code: Label(text: "x")), Item(code: label)]
    return [
      (Order(code: label), "/a/b", "Order.code"),
      (Order(items: items), "/items/1/code", "Item.code"),
      (Order(labels: [label]), "/labels/0", "Order.labels"),
      (Order(byName: ["a": label]), "/byName/a", "Order.byName"),
      (Order(people: [Label(text: "x"), label]), "/people/1/name", "Order.people"),
      (Order(range: Item(code: label)), "/code", "Item.code"),
    ]
  }()
}

@Suite struct WritingFailureTests {
  private func expectFailure(
    _ path: String, _ subject: String, _ body: () throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: MappingError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.underlying is Refusal, sourceLocation: sourceLocation)
    #expect(error?.path?.pointer == path, sourceLocation: sourceLocation)
    #expect(
      "\(error?.model ?? "").\(error?.key ?? "")" == subject, sourceLocation: sourceLocation)
  }

  @Test(arguments: Order.failing.indices)
  func everyWayOfWritingNamesTheKeyAndThePath(_ number: Int) throws {
    let (order, path, subject) = Order.failing[number]
    let adapter = JSONAdapter<Order>()

    expectFailure(path, subject) { _ = try adapter.text(from: order) }
    expectFailure("/0" + path, subject) { _ = try adapter.text(from: [order]) }
    expectFailure("/0" + path, subject) { _ = try adapter.value(from: [order]) }
    expectFailure(path, subject) { _ = try adapter.text(from: Partial(order)) }
    expectFailure("/0" + path, subject) { _ = try adapter.data(from: [Partial(order)]) }
    expectFailure(path, subject) {
      _ = try adapter.mergePatch(from: Order(code: Label(text: "y")), to: order)
    }
    expectFailure("/model" + path, subject) {
      _ = try ModelArchive<Order>(version: 1).data(from: order)
    }
  }
}
