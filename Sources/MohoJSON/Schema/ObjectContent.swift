import MohoMapping

/// The members of one object as a tree of their paths, and further conditions.
struct ObjectContent {
  /// Schemas that the object must satisfy in addition to its members.
  var conditions: [JSONValue] = []
  /// The schema of members without a key, if a key receives them.
  var unknownMembers: JSONValue?

  private var tree = PathNode()

  /// Adds a value at the first of several paths that has a value.
  mutating func add(
    _ value: JSONValue, at paths: [FieldPath], isRequired: Bool, acceptsNull: Bool
  ) {
    if paths.count == 1, let path = paths.first {
      tree.insert(value, at: path.components[...], isRequired, acceptsNull)
      return
    }
    for path in paths { know(path) }
    var choices = paths.enumerated().map { position, path -> JSONValue in
      var content = ObjectContent()
      content.tree.insert(value, at: path.valuePath.components[...], true, acceptsNull)
      if position > 0 { content.conditions.append(Presence.none(of: Array(paths[..<position]))) }
      return .object(content.members(isOpen: true))
    }
    if !isRequired, let first = paths.first {
      choices.append(Self.absence(of: paths, unblocked: [first]))
    }
    conditions.append(["anyOf": .array(choices)])
  }

  /// The schema of objects without a value at some paths.
  ///
  /// - Parameter unblocked: The paths that no other value may block, such as a
  ///   string where an object is expected.
  static func absence(of paths: [FieldPath], unblocked: [FieldPath]) -> JSONValue {
    var content = ObjectContent()
    for path in unblocked {
      content.tree.insert([:], at: path.valuePath.components[...], false, true)
    }
    content.conditions.append(Presence.none(of: paths))
    return .object(content.members(isOpen: true))
  }

  /// Adds the values that a path collects.
  mutating func add(_ element: JSONValue, at path: CollectedPath) {
    tree.insert(element, at: path, level: 0)
  }

  /// Adds a path whose value another condition describes.
  mutating func know(_ path: FieldPath) { tree.know(path.components[...]) }

  /// - Parameter isOpen: Whether members without a key belong to another schema
  ///   of the same object.
  func members(isOpen: Bool) -> [JSONValue.Member] {
    var members = tree.objectMembers(unknown: isOpen ? nil : unknownMembers)
    members.insert(JSONValue.Member("type", "object"), at: 0)
    if !conditions.isEmpty { members.append(JSONValue.Member("allOf", .array(conditions))) }
    return members
  }
}

/// A path that collects values from elements of arrays.
struct CollectedPath {
  /// The parts of the path between the collecting steps: that of the outermost
  /// array, and then those inside the elements.
  let parts: [FieldPath]
  /// The schema of the arrays' innermost elements.
  private(set) var value: FieldSchema
  /// For each level of elements, whether a value can be absent and null.
  private(set) var elements: [(acceptsAbsence: Bool, acceptsNull: Bool)] = []
  /// Whether the outermost array is required, and whether it can be null.
  var isRequired = true
  var acceptsNull = false

  init(_ path: FieldPath, _ schema: FieldSchema) {
    var parts = [path.valuePath]
    var rest = path.elementPath
    value = schema
    while let path = rest {
      value = value.element
      elements.append((value.acceptsAbsence, value.acceptsNull))
      parts.append(path.valuePath)
      rest = path.elementPath
    }
    self.parts = parts
  }
}

/// A value of an object, and the keys inside it.
private struct PathNode {
  private var members: [(name: String, node: PathNode)] = []
  private var elements: [Int: PathNode] = [:]
  /// The schemas of a value that keys are mapped to.
  private var values: [JSONValue] = []
  /// Whether a key without alternatives is at this path or inside it.
  private var isAsserted = false
  private var isRequired = false
  /// Whether null is valid for all keys inside.
  private var acceptsNull = true

  mutating func insert(
    _ value: JSONValue, at path: ArraySlice<FieldPath.Component>, _ isRequired: Bool,
    _ acceptsNull: Bool
  ) {
    enter(path) { node in
      node.isAsserted = true
      node.isRequired = node.isRequired || isRequired
      node.acceptsNull = node.acceptsNull && acceptsNull
    } leaf: { node in
      node.values.append(value)
    }
  }

  mutating func insert(_ element: JSONValue, at path: CollectedPath, level: Int) {
    let isOutermost = level == 0
    let isRequired = isOutermost ? path.isRequired : !path.elements[level - 1].acceptsAbsence
    let acceptsNull = isOutermost ? path.acceptsNull : path.elements[level - 1].acceptsNull
    var value = acceptsNull ? element.orNull : element
    if level < path.elements.count {
      var inner = PathNode()
      inner.isAsserted = true
      inner.acceptsNull = path.elements[level].acceptsNull
      inner.insert(element, at: path, level: level + 1)
      value = ["type": "array", "items": inner.schema(unknown: nil)]
      if acceptsNull { value = value.orNull }
    }
    insert(value, at: path.parts[level].components[...], isRequired, acceptsNull)
  }

  mutating func know(_ path: ArraySlice<FieldPath.Component>) {
    enter(path) { _ in
    } leaf: { _ in
    }
  }

  /// Changes each node on a path except this one, and the last one once more.
  private mutating func enter(
    _ path: ArraySlice<FieldPath.Component>, _ change: (inout PathNode) -> Void,
    leaf: (inout PathNode) -> Void
  ) {
    guard let step = path.first else { return leaf(&self) }
    func continueIn(_ node: inout PathNode) {
      change(&node)
      node.enter(path.dropFirst(), change, leaf: leaf)
    }
    switch step {
    case .key(let name):
      let index = members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } ?? members.count
      if index == members.count { members.append((name, PathNode())) }
      continueIn(&members[index].node)
    case .index(let index):
      continueIn(&elements[index, default: PathNode()])
    // The rest of the path is inside elements that another condition describes.
    case .each: break
    }
  }

  /// The schema of the value.
  func schema(unknown: JSONValue?) -> JSONValue {
    var schemas = values
    if !members.isEmpty || !elements.isEmpty {
      var members = members.isEmpty ? arrayMembers : objectMembers(unknown: unknown)
      if isAsserted, values.isEmpty {
        let type: JSONValue = self.members.isEmpty ? "array" : "object"
        let types: JSONValue = acceptsNull ? [type, "null"] : type
        members.insert(JSONValue.Member("type", types), at: 0)
      }
      schemas.append(.object(members))
    }
    return schemas.count == 1 ? schemas[0] : schemas.isEmpty ? [:] : ["allOf": .array(schemas)]
  }

  func objectMembers(unknown: JSONValue?) -> [JSONValue.Member] {
    var result: [JSONValue.Member] = []
    if !members.isEmpty {
      let properties = members.map {
        JSONValue.Member($0.name, $0.node.schema(unknown: unknown))
      }
      result.append(JSONValue.Member("properties", .object(properties)))
    }
    let required = members.filter(\.node.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { result.append(JSONValue.Member("required", .array(required))) }
    if let unknown { result.append(JSONValue.Member("additionalProperties", unknown)) }
    return result
  }

  private var arrayMembers: [JSONValue.Member] {
    let last = min(elements.keys.max() ?? 0, Presence.greatestIndex)
    let items = (0...last).map { elements[$0]?.schema(unknown: nil) ?? [:] }
    var result = [JSONValue.Member("prefixItems", .array(items))]
    if let required = elements.filter(\.value.isRequired).keys.max() {
      result.append(JSONValue.Member("minItems", .integer(Int64(required + 1))))
    }
    return result
  }
}

/// Schemas of objects that have a value at a path.
enum Presence {
  /// The greatest index of an array whose element is described.
  static let greatestIndex = 1_000

  /// No path has a value. Null is a value.
  static func none(of paths: [FieldPath]) -> JSONValue {
    ["not": ["anyOf": .array(paths.map { value(at: $0.components[...], isNull: false) })]]
  }

  /// One of the paths has null, or ends at null.
  static func null(at paths: [FieldPath]) -> JSONValue {
    ["anyOf": .array(paths.map { value(at: $0.components[...], isNull: true) })]
  }

  private static func value(
    at path: ArraySlice<FieldPath.Component>, isNull: Bool
  ) -> JSONValue {
    guard let step = path.first else { return isNull ? ["type": "null"] : [:] }
    let rest = path.dropFirst()
    var inner = value(at: rest, isNull: isNull)
    if !rest.isEmpty { inner = ["anyOf": [["type": "null"], inner]] }
    switch step {
    case .key(let name):
      return [
        "type": "object", "required": [.string(name)],
        "properties": .object([JSONValue.Member(name, inner)]),
      ]
    case .index(let index):
      let isDescribed = index <= greatestIndex
      let count = isDescribed ? index : 0
      let items = Array(repeating: JSONValue.object([]), count: count) + [isDescribed ? inner : [:]]
      return [
        "type": "array", "minItems": .integer(Int64(index) + 1), "prefixItems": .array(items),
      ]
    case .each:
      return isNull ? ["type": "null"] : ["type": "array"]
    }
  }
}
