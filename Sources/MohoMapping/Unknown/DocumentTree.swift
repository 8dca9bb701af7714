import Foundation

/// The structure of a JSON object.
struct DocumentTree {
  // JSON of Foundation: only the presence of values matters.
  private let root: Any

  init?(_ text: String) {
    guard let root = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else { return nil }
    self.root = Self.expanded(root)
  }

  /// Returns a value with preserved JSON as values. Bounded: `JSONSerialization` limits
  /// the depth.
  private static func expanded(_ value: Any) -> Any {
    switch value {
    case let members as [String: Any]:
      if members.count == 1, let text = members[PreservedJSON.name] as? String,
        let content = try? JSONSerialization.jsonObject(
          with: Data(text.utf8), options: .fragmentsAllowed)
      {
        return content
      }
      return members.mapValues(expanded)
    case let elements as [Any]: return elements.map(expanded)
    default: return value
    }
  }

  /// The names of the members.
  var names: [String] { (root as? [String: Any]).map { Array($0.keys) } ?? [] }

  /// Whether one of some paths leads to a value, or is blocked by one. Null is
  /// not a value.
  func hasValue(at paths: [FieldPath]) -> Bool {
    paths.contains { path in
      switch find(path) {
      case .value(let value): !(value is NSNull)
      case .obstacle: true
      case .nothing: false
      }
    }
  }

  /// Returns the path of a value that is not in the written object of some keys.
  ///
  /// Values at paths that are not read remain unknown members.
  func firstUnread(of keys: [PathClaim], in written: String) -> FieldPath? {
    let written = DocumentTree(written)
    for key in keys {
      guard let path = ([key.path] + key.alternatives).first(where: hasAnything),
        case .value(let value) = find(path), !(value is NSNull)
      else { continue }
      guard case .value(let copy)? = written?.find(key.path) else { return path }
      if let inner = Self.firstUnread(of: value, in: copy) { return path.appending(inner) }
    }
    return nil
  }

  private func hasAnything(at path: FieldPath) -> Bool {
    if case .value = find(path) { true } else { false }
  }

  private enum Finding {
    case value(Any)
    case obstacle
    case nothing
  }

  private func find(_ path: FieldPath) -> Finding {
    var value = root
    for component in path.components {
      // A key is null if a value on its path is null.
      if value is NSNull { return .value(value) }
      switch component {
      case .key(let name):
        guard let members = value as? [String: Any] else { return .obstacle }
        guard let member = members[name] else { return .nothing }
        value = member
      case .index(let index):
        guard let elements = value as? [Any] else { return .obstacle }
        guard elements.indices.contains(index) else { return .nothing }
        value = elements[index]
      case .each: return value is [Any] ? .value(value) : .obstacle
      }
    }
    return .value(value)
  }

  // Not recursive: `JSONSerialization` accepts 512 levels.
  private static func firstUnread(of value: Any, in copy: Any) -> FieldPath? {
    var pending: [(value: Any, copy: Any?, path: FieldPath)] = [(value, copy, FieldPath([]))]
    while let (value, copy, path) = pending.popLast() {
      if value is NSNull { continue }
      guard let copy, !(copy is NSNull) else { return path }
      if let members = value as? [String: Any], let copies = copy as? [String: Any] {
        for (name, member) in members.sorted(by: { $0.key > $1.key }) {
          pending.append((member, copies[name], path.appending(.key(name))))
        }
      } else if let elements = value as? [Any], let copies = copy as? [Any] {
        for (index, element) in elements.enumerated().reversed() {
          let copy = copies.indices.contains(index) ? copies[index] : nil
          pending.append((element, copy, path.appending(.index(index))))
        }
      }
    }
    return nil
  }
}
