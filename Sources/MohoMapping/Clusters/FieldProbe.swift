import Synchronization

/// Inspects an object before its variant is known.
///
/// Only formats that locate fields by paths support this: JSON does, the rows
/// of a store do not.
public struct FieldProbe {
  let decoder: any FieldDecoder
  let index: Int
  let paths: ProbedPaths

  /// Whether the object has a value at a path. Null is a value. A collecting
  /// path stands for its array.
  public func has(_ path: FieldPath) -> Bool {
    object(path).map { !$0.isAbsent(at: 0) } ?? false
  }

  /// Returns the string at a path, or nil if there is no string. A collecting
  /// path has no string.
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
    try? decoder.object(at: index, keys: paths.keys(at: path))
  }
}

/// The keys for the paths that the probes of a cluster inspect. Each is created
/// once, because adapters cache what they prepare for keys.
final class ProbedPaths: Sendable {
  private let cache = Lock<[FieldPath: FieldKeys]>([:])

  func keys(at path: FieldPath) -> FieldKeys {
    cache.withLock { cache in
      if let keys = cache[path] { return keys }
      let keys = FieldKeys([.synthetic(path.description, at: path, .string)], of: "")
      cache[path] = keys
      return keys
    }
  }
}

extension FieldKey {
  /// Creates a key that is not a property: of a cluster, a probe or an unknown
  /// member.
  static func synthetic(
    _ name: String, at path: FieldPath, alternatives: [FieldPath] = [], _ type: FieldType,
    hasDefault: Bool = false
  ) -> FieldKey {
    FieldKey(
      name: name, source: path, alternatives: alternatives, hasDeclaredSource: true, type: type,
      isOptional: false, hasDefault: hasDefault, traits: [], isTransient: false, problems: [])
  }
}
