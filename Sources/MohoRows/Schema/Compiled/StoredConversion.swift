package import MohoMapping

/// Returns what a column of a type returns for a content that it stores, in
/// databases that store some values in another form. It must return the contents
/// that columns return without a change.
package typealias StoredConversion = @Sendable (FieldContent, AttributeType) -> FieldContent

extension CompiledSchema {
  /// Returns a content in the form in which columns return it, so that equal
  /// values are equal contents.
  package func stored(_ content: FieldContent, as type: AttributeType) -> FieldContent {
    let content = content.normalized(for: type)
    return conversion?(content, type) ?? content
  }
}

extension Attribute {
  /// The attribute with signed integers, if it has unsigned ones.
  var signed: Attribute {
    type == .uint64 ? replacingType(with: .int64) : self
  }

  func replacingType(with type: AttributeType) -> Attribute {
    Attribute(
      name, type, isOptional: isOptional, default: defaultValue, constraints: constraints,
      renamedFrom: renamedFrom,
      backfillValue: backfillValue.flatMap { type.holds($0) ? $0 : nil }, nestedModel: nestedModel)
  }

  /// Returns the attribute with its values in the form that columns return.
  func storing(_ conversion: StoredConversion) -> Attribute {
    Attribute(
      name, type, isOptional: isOptional, default: defaultValue.map { conversion($0, type) },
      constraints: constraints.map { constraint in
        switch constraint {
        case .minimum(let value): .minimum(conversion(value, type))
        case .maximum(let value): .maximum(conversion(value, type))
        case .oneOf(let values): .oneOf(values.map { conversion($0, type) })
        case .length: constraint
        }
      }, renamedFrom: renamedFrom, backfillValue: backfillValue.map { conversion($0, type) },
      nestedModel: nestedModel)
  }
}
