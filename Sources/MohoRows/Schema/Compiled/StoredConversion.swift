import Foundation
package import MohoMapping

/// Returns what columns return for a content that they store, in databases that store some
/// values in another form. It must return the contents that columns return without a change.
///
/// The second argument is the type of the column. It is nil for a content that is written, which
/// may be an array of the values of a unique key. Structured texts then stay as they are, because
/// the column converts them.
///
/// - Throws: A `MappingError` without a path if no column can store the content.
package typealias StoredConversion = @Sendable (FieldContent, AttributeType?) throws -> FieldContent

extension CompiledSchema {
  /// Returns a content in the form in which columns return it, so that equal
  /// values are equal contents. Returns contents that no column can store without a change.
  package func stored(_ content: FieldContent, as type: AttributeType) -> FieldContent {
    content.normalized(for: type).stored(as: type, by: conversion)
  }

  /// Returns the values of a unique key in the form in which columns return them.
  ///
  /// - Throws: A `MappingError` if no column can store a value.
  package func stored(key: FieldContent) throws -> FieldContent {
    try conversion?(key, nil) ?? key
  }

  /// Returns the value that a column stores for a content.
  ///
  /// - Parameter isUnsigned: Whether integers may be greater than `Int64.max`.
  /// - Throws: A `MappingError` without a path if no column can store the content.
  func storable(_ content: FieldContent, isUnsigned: () -> Bool) throws -> FieldContent {
    switch content {
    case .uint64(let value):
      let stored = content.stored
      guard case .uint64 = stored, !isUnsigned() else { return stored }
      throw MappingError.tooLarge(value)
    // SQLite would store null.
    case .double(let value) where value.isNaN:
      throw MappingError.notANumber(expected: "number")
    case .date(let value) where value.timeIntervalSinceReferenceDate.isNaN:
      throw MappingError.notANumber(expected: "date")
    case .decimal(let value) where value.isNaN:
      throw MappingError.notANumber(expected: "decimal number")
    case .array(let parts):
      return .array(try parts.map { try storable($0, isUnsigned: isUnsigned) })
    default:
      return try conversion?(content, nil) ?? content
    }
  }
}

extension FieldContent {
  /// Returns what a column of a type returns for the content, or the content if the column cannot
  /// store it.
  func stored(as type: AttributeType, by conversion: StoredConversion?) -> FieldContent {
    guard let conversion else { return self }
    return (try? conversion(self, type)) ?? self
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
  func storing(_ conversion: @escaping StoredConversion) -> Attribute {
    func stored(_ value: FieldContent) -> FieldContent { value.stored(as: type, by: conversion) }
    return Attribute(
      name, type, isOptional: isOptional, default: defaultValue.map(stored),
      constraints: constraints.map { constraint in
        switch constraint {
        case .minimum(let value): .minimum(stored(value))
        case .maximum(let value): .maximum(stored(value))
        case .oneOf(let values): .oneOf(values.map(stored))
        case .length: constraint
        }
      }, renamedFrom: renamedFrom, backfillValue: backfillValue.map(stored),
      nestedModel: nestedModel)
  }
}
