import Foundation
import MohoJSON
import MohoMapping
import Synchronization
import Testing

/// Values of many levels, on a thread with a stack of 512 KB, as threads other than
/// the main one have on some systems.
@Suite struct DeepValueTests {
  // Recursion through 20,000 levels overflows the stack, even with small frames.
  private static let depths = [2_049, 20_000]

  private static func arrays(_ depth: Int, around value: JSONValue = 1) -> JSONValue {
    (1..<depth).reduce(value) { value, _ in .array([value]) }
  }

  private static func objects(_ depth: Int) -> JSONValue {
    (1..<depth).reduce(1) { value, level in
      level.isMultiple(of: 3) ? [0, value, "x"] : ["a": 0, "b": value]
    }
  }

  /// Runs a test on a small stack, and throws what it throws.
  private func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      let thread = Thread { done.resume(with: Result { try body() }) }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  @Test(arguments: depths)
  func valuesAreBuiltCopiedChangedAndReleased(depth: Int) async throws {
    try await onSmallStack { () throws in
      for value in [Self.arrays(depth), Self.objects(depth)] {
        var changed: JSONValue = ["x": value]
        changed["x"] = [value, value]
        changed["y"] = changed["x"]
        #expect(changed["y"]?[1]?.kind == value.kind)
        changed["x"] = nil
        changed["y"] = 1
      }
      // Values that share parts.
      _ = (1..<depth).reduce(JSONValue.null) { value, _ in .array([value, value]) }
    }
  }

  @Test(arguments: depths)
  func valuesAreComparedAndHashed(depth: Int) async throws {
    try await onSmallStack { () throws in
      for (one, other) in [
        (Self.arrays(depth), Self.arrays(depth)), (Self.objects(depth), Self.objects(depth)),
      ] {
        // The macro describes its operands.
        let (isEqual, hash) = (one == other, one.hashValue)
        #expect(isEqual)
        #expect(hash == other.hashValue)
        #expect(Set([one, other]).count == 1)
      }
      let isEqualToAnother = Self.arrays(depth) == Self.arrays(depth, around: 2)
      #expect(!isEqualToAnother)
      let isEqualToShorter = Self.arrays(depth) == Self.arrays(depth - 1)
      #expect(!isEqualToShorter)
    }
  }

  @Test(arguments: depths)
  func valuesAreDescribed(depth: Int) async throws {
    try await onSmallStack { () throws in
      let value = Self.arrays(depth)
      let text =
        String(repeating: "[", count: depth - 1) + "1" + String(repeating: "]", count: depth - 1)
      #expect(value.description == text)
      #expect(String(reflecting: value) == text)
      #expect("\([value])" == "[\(text)]")
      var dumped = ""
      dump(value, to: &dumped)
      #expect(dumped.count > depth)
      #expect(JSONValue.number(.infinity).description == "inf")
    }
  }

  @Test func valuesOf2048LevelsAreWrittenAndRead() async throws {
    try await onSmallStack { () throws in
      for value in [Self.arrays(2_048), Self.objects(2_048), Self.arrays(2_048, around: [])] {
        for formatting in [JSONFormatting.compact, .sorted] {
          #expect(
            try JSONDocument(parsing: value.data(formatting: formatting)).value() == value)
        }
      }
      let field = Field(Self.objects(2_047))
      let adapter = JSONAdapter<Field<JSONValue>>()
      for adapter in [adapter, adapter.withoutFastPath] {
        #expect(try adapter.model(from: adapter.data(from: field)) == field)
        #expect(
          try adapter.models(from: adapter.data(from: [Field(Self.objects(2_046))])).count == 1)
      }
    }
  }

  @Test(arguments: depths)
  func deeperValuesAreNotWritten(depth: Int) async throws {
    try await onSmallStack { () throws in
      for value in [Self.arrays(depth), Self.objects(depth)] {
        let error = #expect(throws: MappingError.self) { try value.data() }
        #expect(error?.code == .tooDeep)
        #expect(error?.path?.components.count == 2_048)
        #expect(error?.expected == "at most 2048 levels")
      }
      let value = Self.arrays(2_048)
      let error = #expect(throws: MappingError.self) {
        try JSONAdapter<Field<JSONValue>>().data(from: Field(value))
      }
      #expect(error?.code == .tooDeep)
      #expect(error?.path?.components.first == .key("value"))
      #expect(throws: MappingError.self) {
        try value.encode(to: FieldRecorder(), at: 0)
        try Self.arrays(depth).encode(to: FieldRecorder(), at: 0)
      }
    }
  }

  @Test func codersAccept128Levels() async throws {
    try await onSmallStack { () throws in
      for value in [Self.arrays(128), Self.objects(128)] {
        // The macro describes its operands.
        let isEqual =
          try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)) == value
        #expect(isEqual)
      }
      for depth in [129] + Self.depths {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(Self.arrays(depth)) }
        #expect(throws: EncodingError.self) {
          try PropertyListEncoder().encode(Self.objects(depth))
        }
      }
      for depth in [130, 512, 2_048] {
        #expect(throws: DecodingError.self) {
          try JSONDecoder().decode(JSONValue.self, from: Self.arrays(depth).data())
        }
      }
    }
    let list = String(repeating: "<array>", count: 600) + String(repeating: "</array>", count: 600)
    #expect(throws: (any Error).self) {
      try PropertyListDecoder().decode(
        JSONValue.self, from: Data("<plist version=\"1.0\">\(list)</plist>".utf8))
    }
  }

  @Test func longPathsAreIssuesOfTheDeclaration() async throws {
    let steps = [FieldPath.Component](repeating: .key("a"), count: 20_000)
    try await onSmallStack { () throws in
      for steps in [steps, Array(repeating: .index(0), count: 20_000), Array(steps.prefix(129))] {
        let path = FieldPath(steps)
        let mapping = Mapping(
          "Deep", { Field<Int>($0) }, .key("value", \.value, json: path.description))
        let (adapter, enveloped) = (JSONAdapter(mapping), JSONAdapter<Field<Int>>(envelope: path))
        for error in [
          #expect(throws: MappingError.self) { try adapter.model(from: "{}") },
          #expect(throws: MappingError.self) { try adapter.data(from: Field(1)) },
          #expect(throws: MappingError.self) { try enveloped.model(from: "{}") },
          #expect(throws: MappingError.self) { try enveloped.data(from: Field(1)) },
          #expect(throws: MappingError.self) {
            try JSONAdapter<Field<Int>>().models(from: "[]", at: path)
          },
        ] {
          #expect(error?.code == .invalidDeclaration)
        }
        #expect(try JSONDocument(parsing: "{}").value(at: path) == nil)
      }
      let longest = FieldPath(Array(steps.prefix(128)))
      let mapping = Mapping(
        "Deep", { Field<Int>($0) }, .key("value", \.value, json: longest.description))
      let adapter = JSONAdapter(mapping)
      #expect(try adapter.model(from: adapter.data(from: Field(7))) == Field(7))
    }
  }
}
