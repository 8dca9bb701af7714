import MohoMapping
import MohoTesting
import Testing

@Suite struct PartialTests {
  private func decode(_ contents: FieldContent?...) throws -> Partial<TestModel> {
    try TestModel.mapping.partial(from: ContentDecoder(contents + [nil]))
  }

  @Test func absenceNullAndValueAreDistinct() throws {
    let partial = try decode(nil, nil, .null, .string("x"), nil)

    #expect(partial.keys.map(\.name) == ["nestedName", "role"])
    #expect(partial[\.name] == nil)
    #expect(partial[\.nestedName] == .some(nil))
    #expect(partial[\.role] == "x")
    #expect(partial.contains(\.nestedName))
    #expect(!partial.contains(\.count))
  }

  @Test func onlyPresentKeysAreApplied() throws {
    let model = TestModel.make(name: "foo", count: 5, nestedName: "n", age: 3, isShown: true)

    #expect(
      try decode(nil, .uint64(7), .null, nil, nil).applied(to: model)
        == .make(name: "foo", count: 7, nestedName: nil, age: 3, isShown: true))
    #expect(Partial<TestModel>().applied(to: model) == model)
  }

  @Test func allErrorsComeInDeclarationOrder() throws {
    let error = #expect(throws: MappingError.self) {
      try decode(.string("far too long"), .null, .int64(1), nil, nil)
    }

    #expect(error?.errors.map(\.key) == ["name", "count", "nestedName"])
    #expect(
      error?.errors.map(\.code) == [.failedValidation, .unexpectedNull, .invalidType])
  }

  @Test func aDifferenceLeadsFromOneModelToTheOther() {
    let old = TestModel.make(name: "foo", count: 5, nestedName: "n", isShown: true)
    let new = TestModel.make(name: nil, count: 5, nestedName: "m", isShown: false)

    let difference = Partial(from: old, to: new)

    #expect(difference.keys.map(\.name) == ["name", "nestedName"])
    #expect(TestModel.mapping.areEqual(difference.applied(to: old), new))
    #expect(Partial(from: old, to: old).isEmpty)
  }

  @Test func theDifferenceOfAnyTwoModelsLeadsFromOneToTheOther() {
    let names: [String?] = [nil, "", "a"]
    for name in names {
      for other in names {
        for count in [0, 1] as [UInt] {
          for age in 0...1 {
            let old = TestModel.make(name: name, count: count, nestedName: other)
            let new = TestModel.make(name: other, count: 1 - count, nestedName: name, age: age)
            #expect(Partial(from: old, to: new).applied(to: old) == new)
            #expect(Partial(new).applied(to: old) == new)
          }
        }
      }
    }
  }

  @Test func keysAreSetAndRemoved() {
    var partial = Partial<TestModel>()
    partial[\.name] = "foo"
    partial[\.nestedName] = .some(nil)
    partial[\.count] = 3
    partial = partial.removing(\.count)

    #expect(partial.description == "TestModel(name: \"foo\", nestedName: null)")
  }

  @Test func nilIsNull() {
    var partial = Partial<TestModel>()
    partial[\.name] = nil
    partial[\.nestedName] = "n"
    partial.clear(\.nestedName)
    partial[\.role] = "host"
    partial[\.role] = .some("guest")
    partial.clear(\.name?.count.description)

    #expect(
      partial.description == "TestModel(name: null, nestedName: null, role: \"guest\")")
    #expect(partial[\.name] == .some(nil))
    #expect(partial[\.count] == nil)
    let model = TestModel.make(name: "foo", count: 5, nestedName: "m")
    #expect(partial.applied(to: model) == .make(count: 5, role: "guest"))
  }

  @Test func aPartialModelCanHaveSelectedKeys() {
    let model = TestModel.make(name: "foo", count: 5, nestedName: nil, age: 3, isShown: true)

    #expect(
      Partial(model, only: \.count, \.nestedName).description
        == "TestModel(count: 5, nestedName: null)")
    #expect(Partial(model, only: \.isShown).isEmpty)
    #expect(
      Partial(model).removing(\.name, \.role, \.name?.count).keys.map(\.name)
        == ["count", "nestedName", "age"])
    #expect(Partial(model).removing().keys.count == 5)
  }

  @Test func aDifferenceCanIncludeTheUniqueKey() {
    let old = TestModel.make(name: "foo", count: 5, age: 3)
    let new = TestModel.make(name: "foo", count: 6, age: 3, isShown: true)

    let change = Partial(from: old, to: new, including: \.name, \.count, \.isShown)

    #expect(change.description == "TestModel(name: \"foo\", count: 6)")
    #expect(Partial(from: old, to: old, including: \.name).isEmpty)
  }

  @Test func aPropertyThatIsNotAKeyIsReportedByEveryUseThatThrows() throws {
    var set = Partial<TestModel>()
    set[\.name?.count] = .some(3)
    var cleared = Partial<TestModel>()
    cleared[\.age] = 3
    cleared.clear(\.name?.count)
    let model = TestModel.make(name: "foo", count: 5, age: 3)
    let partials = [
      set, cleared, Partial(model, only: \.age, \.name?.count),
      Partial(from: model, to: TestModel.make(name: "foo", count: 6), including: \.name?.count),
      Partial(from: model, to: model, including: \.name?.count),
      Partial(model).merging(set), set.merging(Partial(model)),
    ]
    for partial in partials {
      #expect(!partial.isEmpty)
      #expect(!partial.contains(\.name?.count))
      let errors = [
        #expect(throws: MappingError.self) {
          try TestModel.mapping.encode(partial, to: FieldRecorder())
        },
        #expect(throws: MappingError.self) { try TestModel.mapping.model(from: partial) },
      ]
      for error in errors {
        #expect(error?.code == .unknownKey)
        #expect(error.map { "\($0)" }?.hasSuffix("is not a key - `TestModel`") == true)
      }
    }
  }

  @Test func mergingPartialModelsPrefersTheArgument() {
    var first = Partial<TestModel>()
    first[\.count] = 1
    first[\.age] = 1
    var second = Partial<TestModel>()
    second[\.count] = 2

    #expect(first.merging(second).description == "TestModel(count: 2, age: 1)")
  }

  @Test func presentKeysAreWritten() throws {
    let recorder = FieldRecorder()

    try TestModel.mapping.encode(decode(nil, .uint64(7), .null, nil, nil), to: recorder)

    #expect(recorder.contents == [.uint64(7), .null])
  }
}
