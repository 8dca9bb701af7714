#if Tracing
  import Tracing

  /// The spans of a store. Their attributes follow the semantic conventions of OpenTelemetry for
  /// clients of databases. They contain names of the schema and numbers, and no stored values.
  struct StoreTracing: Sendable {
    private let system: String
    private let tracer: any Tracer

    init(system: String) {
      self.system = system
      tracer = InstrumentationSystem.tracer
    }

    /// Begins a span, as a child of that of the caller.
    func start(_ operation: StoreOperation) -> any Span {
      let span = tracer.startSpan(
        operation.rawValue, context: ServiceContext.current ?? .topLevel,
        ofKind: operation == .follow ? .internal : .client)
      span.attributes["db.system.name"] = system
      span.attributes["db.operation.name"] = operation.rawValue
      return span
    }

    /// Ends the span of a transaction.
    func end(
      _ span: any Span, _ operation: StoreOperation, _ work: StoreWork, isCommitted: Bool,
      errorType: String?
    ) {
      name(span, operation, work.entities)
      if work.retries > 0 { span.attributes["moho.retries"] = work.retries }
      if isCommitted {
        for (name, count) in [
          ("moho.rows.inserted", work.rows.inserted), ("moho.rows.updated", work.rows.updated),
          ("moho.rows.deleted", work.rows.deleted),
        ] where count > 0 { span.attributes[name] = count }
      }
      end(span, errorType)
    }

    /// Ends the span of a commit that observers have received.
    func end(_ span: any Span, _ commit: Result<CommittedChanges, any Error>) {
      switch commit {
      case .success(let changes):
        name(span, .follow, changes.tables.keys)
        span.attributes["moho.rows.followed"] = changes.rowCount
        span.attributes["moho.commit.is_complete"] = changes.isComplete
        end(span, nil)
      case .failure(let error): end(span, errorType(error))
      }
    }

    private func end(_ span: any Span, _ errorType: String?) {
      if let errorType {
        span.attributes["error.type"] = errorType
        span.setStatus(SpanStatus(code: .error))
      }
      span.end()
    }

    /// Adds the name of the table, if there is only one.
    private func name(
      _ span: any Span, _ operation: StoreOperation, _ tables: some Collection<String>
    ) {
      guard tables.count == 1, let table = tables.first else { return }
      span.attributes["db.collection.name"] = table
      span.operationName = "\(operation.rawValue) \(table)"
    }
  }
#endif
