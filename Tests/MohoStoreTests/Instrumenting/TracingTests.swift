#if Tracing
  import Fixtures
  import InMemoryTracing
  import MohoMapping
  import MohoRows
  import StoreTesting
  import Testing
  import Tracing

  /// Tests of the spans of stores.
  @Suite(.allEngines, .timeLimit(.minutes(20))) struct TracingTests {
    private let tracer = InMemoryTracer()
    private let all = ModelRequest<Episode>().order(by: \.id)

    private var system: SpanAttribute {
      .string(TestedEngine.current == .postgres ? "postgresql" : "sqlite")
    }

    private func store(_ models: any MappedModel.Type...) throws -> ModelStore {
      let schema = try Schema([Episode.self] + models)
      return try withTracer(tracer) { try emptyStore(schema) }
    }

    private func attributes(_ span: FinishedInMemorySpan?) -> [String: SpanAttribute] {
      var attributes: [String: SpanAttribute] = [:]
      func add(_ name: String, _ value: SpanAttribute) { attributes[name] = value }
      span?.attributes.forEach(add)
      #expect(attributes.removeValue(forKey: "db.system.name") == system)
      return attributes
    }

    @Test func aWriteHasASpan() async throws {
      let store = try store()

      try await store.write { try $0.save([Episode.number(1), .number(2)]) }

      let span = tracer.finishedSpans.first
      #expect(tracer.finishedSpans.count == 1)
      #expect(tracer.activeSpans.isEmpty)
      #expect(span?.operationName == "write Episode")
      #expect(span?.kind == .client)
      #expect(span?.status == nil)
      #expect(
        attributes(span) == [
          "db.operation.name": .string("write"), "db.collection.name": .string("Episode"),
          "moho.rows.inserted": .int64(2),
        ])
    }

    @Test func aReadHasASpan() async throws {
      let store = try store()

      _ = try await store.fetch(all.filter { $0.title == "secret" })

      let span = tracer.finishedSpans.first
      #expect(tracer.finishedSpans.count == 1)
      #expect(span?.operationName == "read Episode")
      #expect(span?.kind == .client)
      #expect(
        attributes(span) == [
          "db.operation.name": .string("read"), "db.collection.name": .string("Episode"),
        ])
    }

    private struct Note: MappedModel {
      var id: Int

      static let mapping = Mapping("Note", Note.init, .key("id", \.id, .unique))
    }

    @Test func aTransactionOfSeveralTablesHasNoTable() async throws {
      let store = try store(Note.self)

      try await store.write { writer in
        try writer.save(Episode.number(1))
        try writer.save(Note(id: 1))
      }

      #expect(tracer.finishedSpans.map(\.operationName) == ["write"])
      #expect(attributes(tracer.finishedSpans.first)["db.collection.name"] == nil)
    }

    @Test func spansAreChildrenOfThatOfTheCaller() async throws {
      let store = try store()
      let tracer = tracer

      try await withTracer(tracer) {
        try await withSpan("request") { _ in
          try await store.write { writer in
            try withTracer(tracer) {
              try withSpan("step") { _ in _ = try writer.save(Episode.number(1)) }
            }
          }
          try Self.read(store)
        }
      }

      let spans = Dictionary(
        tracer.finishedSpans.map { ($0.operationName, $0) }, uniquingKeysWith: { one, _ in one })
      #expect(spans.keys.sorted() == ["read Episode", "request", "step", "write Episode"])
      #expect(spans["write Episode"]?.parentSpanID == spans["request"]?.spanID)
      #expect(spans["read Episode"]?.parentSpanID == spans["request"]?.spanID)
      #expect(spans["step"]?.parentSpanID == spans["write Episode"]?.spanID)
    }

    private static func read(_ store: ModelStore) throws {
      _ = try store.fetch(ModelRequest<Episode>())
    }

    @Test func nestedCallsHaveNoSpan() throws {
      let store = try store()

      try store.write { _ in
        try store.write { try $0.save(Episode.number(1)) }
        _ = try store.fetch(all)
      }

      #expect(tracer.finishedSpans.map(\.operationName) == ["write Episode"])
    }

    @Test func errorsHaveATypeWithoutValues() async throws {
      let store = try store()

      await #expect(throws: StoreError.self) {
        try await store.write { try $0.execute(sql: "secret") }
      }

      let span = tracer.finishedSpans.first
      #expect(span?.status?.code == .error)
      #expect(span?.status?.message == nil)
      #expect(span?.errors.isEmpty == true)
      #expect(
        attributes(span) == [
          "db.operation.name": .string("write"),
          "error.type": .string(StoreError.Code.database.description),
        ])
    }

    @Test func aFollowedCommitHasASpan() async throws {
      let store = try store()
      let commits = try await store.commits()
      tracer.clearFinishedSpans()

      try await store.write { try $0.save([Episode.number(1), .number(2)]) }
      try await store.close()

      let spans = tracer.finishedSpans
      #expect(spans.map(\.operationName) == ["follow Episode", "write Episode"])
      #expect(spans.first?.kind == .internal)
      #expect(
        attributes(spans.first) == [
          "db.operation.name": .string("follow"), "db.collection.name": .string("Episode"),
          "moho.rows.followed": .int64(2), "moho.commit.is_complete": .bool(true),
        ])
      // On PostgreSQL, the connection that listens receives the commit.
      let parent = TestedEngine.current == .sqlite ? spans.last?.spanID : nil
      #expect(spans.first?.parentSpanID == parent)
      withExtendedLifetime(commits) {}
    }
  }
#endif
