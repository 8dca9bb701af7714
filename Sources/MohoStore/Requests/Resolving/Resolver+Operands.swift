import MohoMapping

extension Resolver {
  mutating func resolved(_ operand: Operand) -> ResolvedOperand {
    switch operand.kind {
    case .key(let name):
      switch find(name) {
      case .attribute(let place, let attribute): return .value(place, attribute)
      case .row(let place):
        let key = place.entity.uniqueAttribute?.name ?? place.entity.identityColumn
        issues.append(
          "`\(self.name(name))` refers to a row, not to a value; use one of its keys,"
            + " such as `\(key)`")
      case .related:
        issues.append(
          "`\(self.name(name))` is a to-many relationship: use `any`, `all`, `none` or"
            + " `count`")
      case nil: break
      }
      return .constant(.null)
    case .constant(let content): return constant(content)
    case .arithmetic(let left, let operation, let right):
      let (one, other) = (resolve(left), resolve(right))
      guard let type = operation.type(one.type, other.type) else {
        issues.append(
          "\(description(left, one)) \(operation.rawValue) \(description(right, other))"
            + " has no value")
        return .constant(.null)
      }
      return .arithmetic(one, operation, other, type)
    case .count(let name, let filter):
      guard let rows = related(name) else { return .constant(.null) }
      return .count(rows, inner(filter, of: rows))
    case .invalid(let reason):
      if !issues.contains(reason) { issues.append(reason) }
      return .constant(.null)
    }
  }

  mutating func constant(_ content: FieldContent) -> ResolvedOperand {
    do {
      return .constant(try content.comparable)
    } catch let error as StoreError {
      issues.append(error.reason)
    } catch {
      issues.append("\(error)")
    }
    return .constant(.null)
  }
}

extension FieldContent {
  /// The value in the form that SQL and in-memory evaluation compare.
  fileprivate var comparable: FieldContent {
    get throws {
      _ = try databaseValue
      if case .uint64(let value) = self { return .int64(Int64(value)) }
      return self
    }
  }
}
