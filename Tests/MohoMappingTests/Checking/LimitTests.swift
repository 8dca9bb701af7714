import Foundation
import MohoMapping
import Testing

private struct Measure: Sendable {
  var length: Int

  static func mapping(_ transform: Transform<Int>) -> Mapping<Measure> {
    Mapping("Measure", { Measure(length: $0) }, .key("length", \.length, transform))
  }
}

private struct Chain: MappedModel {
  var links: [Chain]

  static let mapping = Mapping("Chain", Chain.init, .key("links", \.links))

  init(links: [Chain]) { self.links = links }

  init(depth: Int) {
    self.init(links: [])
    for _ in 1..<depth { self = Chain(links: [self]) }
  }
}

/// Each level has five models of the next level: millions in total.
private struct Wide<Content: MappedModel>: MappedModel {
  var a, b, c, d, e: [Content]

  static var mapping: Mapping<Wide> {
    Mapping(
      "Wide", { Wide(a: $0, b: $1, c: $2, d: $3, e: $4) }, .key("a", \.a), .key("b", \.b),
      .key("c", \.c), .key("d", \.d), .key("e", \.e))
  }
}

private func onSmallStack(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    body()
    done.signal()
  }
  thread.stackSize = 512 * 1024
  thread.start()
  done.wait()
}

@Suite struct LimitTests {
  @Test func aTransformOfTooManyPartsIsAnIssue() {
    onSmallStack {
      var mapped = Transform<Int>.standard
      var either = Transform<Int>.standard
      var doubled = Transform<Int>.standard
      for _ in 0..<100_000 {
        mapped = mapped.map(to: { $0 + 1 }, from: { $0 - 1 })
        either = Transform<Int>.numberInString.or(either)
        doubled = doubled.or(doubled)
      }
      for transform in [mapped, either, doubled] {
        let issues = Measure.mapping(transform).issues.map(\.description)
        #expect(issues == ["`length`: the transform is composed of more than 128 parts"])
      }
    }
  }

  @Test func aTransformOf128PartsWorksOnASmallStack() {
    onSmallStack {
      var transform = Transform<Int>.standard
      for _ in 0..<127 { transform = transform.map(to: { $0 + 1 }, from: { $0 - 1 }) }
      let mapping = Measure.mapping(transform)
      #expect(mapping.issues == [])
      #expect(throws: Never.self) {
        #expect(try mapping.model(from: ContentDecoder([.int64(0)])).length == 127)
        let recorder = FieldRecorder()
        try mapping.encode(Measure(length: 127), to: recorder)
        #expect(recorder.contents == [.int64(0)])
      }
    }
  }

  @Test func modelsInMemoryCanBeNestedToTheLimit() throws {
    let recorder = FieldRecorder()
    try Chain.mapping.encode(Chain(depth: 128), to: recorder)
    let contents = recorder.contents
    #expect(throws: Never.self) { try Chain.mapping.model(from: ContentDecoder(contents)) }

    let error = #expect(throws: MappingError.self) {
      try Chain.mapping.encode(Chain(depth: 129), to: FieldRecorder())
    }
    #expect(error?.code == .tooDeep)
    let deeper = #expect(throws: MappingError.self) {
      try Chain.mapping.model(
        from: ContentDecoder([.array([.object(contents)])]))
    }
    #expect(deeper?.code == .tooDeep)
  }

  @Test func contentsThatAreNestedTooDeepAreAnError() {
    var content = FieldContent.array([])
    for _ in 0..<1_000 { content = .array([.object([content])]) }
    let contents = [content]

    let error = #expect(throws: MappingError.self) {
      try Chain.mapping.model(from: ContentDecoder(contents))
    }
    #expect(error?.code == .tooDeep)
  }

  @Test func aModelWithManyNestedLevelsIsCheckedQuickly() {
    typealias Wider = Wide<Wide<Wide<Wide<Wide<Wide<Wide<Wide<Wide<Wide<Account>>>>>>>>>>

    #expect(Wider.mapping.issues == [])
    #expect(Wider.mapping.notes == [])
    #expect(Wider.mapping.samples(2).count == 2)
  }
}
