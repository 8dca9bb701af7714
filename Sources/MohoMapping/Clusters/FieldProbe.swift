import Synchronization

/// A look at an object before it is known which variant it is.
///
/// Only formats that hold fields at paths can be looked at: JSON can, a row of a
/// store cannot.
public struct FieldProbe {
  let decoder: any FieldDecoder
  let index: Int
  let places: ProbedPaths

  /// Whether the object holds a value at a path, null included; of a path that
  /// collects, whether it holds the array.
  public func has(_ path: FieldPath) -> Bool {
    object(path).map { !$0.isAbsent(at: 0) } ?? false
  }

  /// The text at a path, or nil where there is none. A path that collects leads
  /// to no text.
  public func string(_ path: FieldPath) -> String? {
    guard let object = object(path) else { return nil }
    do {
      return try object.string(at: 0)
    } catch {
      object.discardFastPathError(error)
      return nil
    }
  }

  private func object(_ path: FieldPath) -> (any FieldDecoder)? {
    try? decoder.object(at: index, keys: places.keys(at: path))
  }
}

/// The paths that a cluster looks at, as keys: made once for each path, since
/// adapters remember what they prepare for keys.
final class ProbedPaths: Sendable {
  private let known = Lock<[FieldPath: MappingKeys]>([:])

  func keys(at path: FieldPath) -> MappingKeys {
    known.withLock { known in
      if let keys = known[path] { return keys }
      let keys = MappingKeys([.part(path.description, at: path, .string)], of: "")
      known[path] = keys
      return keys
    }
  }
}

extension MappingKey {
  /// A key that no property has: a part of a cluster, or an unknown member.
  static func part(
    _ name: String, at path: FieldPath, alternatives: [FieldPath] = [], _ type: FieldType,
    hasDefault: Bool = false
  ) -> MappingKey {
    MappingKey(
      name: name, source: path, alternatives: alternatives, hasDeclaredSource: true, type: type,
      isOptional: false, hasDefault: hasDefault, traits: [], isTransient: false, problems: [])
  }
}
