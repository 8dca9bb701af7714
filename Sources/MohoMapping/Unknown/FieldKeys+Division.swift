import Synchronization

extension FieldKeys {
  /// The paths of the other keys, if an inlined model at an index receives the unknown
  /// members of the object. Nil for other keys.
  ///
  /// A store contains the model alone. Its unknown members are named as in documents: an
  /// object or array that other keys lead through is divided.
  package func division(at index: Int) -> ClaimedPaths? {
    guard keys.indices.contains(index), keys[index].isInlined, receiver == index else {
      return nil
    }
    if let known = knownDivision.withLock({ $0 }) { return known }
    var claims = ClaimedPaths()
    for other in keys.indices where other != index {
      for path in possiblePaths(at: other) where path.components.count > 1 { claims.insert(path) }
    }
    let division = claims.isObject ? claims : nil
    knownDivision.withLock { $0 = .some(division) }
    return division
  }
}

extension FieldKeys {
  /// Whether a key has a ``division(at:)`` of the unknown members of its model.
  package func divides(_ keys: FieldKeys, at index: Int) -> Bool {
    keys.unknownIndex != nil && division(at: index) != nil
  }
}

extension DecoderValue.UnknownMember {
  /// The member, or the members inside it if claimed paths lead through it.
  func divided(by claims: ClaimedPaths) -> [DecoderValue.UnknownMember] {
    var inside: ClaimedPaths? = claims
    for component in path.components {
      switch component {
      case .key(let name): inside = inside?[member: name]
      case .index(let index): inside = inside?[element: index]
      case .each: inside = nil
      }
    }
    return Self.divided(value, by: inside, at: path)
  }

  // Bounded by the length of the paths.
  private static func divided(
    _ value: DecoderValue?, by claims: ClaimedPaths?, at path: FieldPath
  ) -> [DecoderValue.UnknownMember] {
    if let claims, claims.isObject, let members = value?.members {
      return members.allKeys.map(\.stringValue).sorted().flatMap { name in
        let member = DecoderValue.member(members, AnyCodingKey(name))
        return divided(
          member.isNull ? nil : member, by: claims[member: name], at: path.appending(.key(name)))
      }
    }
    if let claims, claims.isArray, let elements = value?.elements {
      return elements.enumerated().flatMap { index, element -> [DecoderValue.UnknownMember] in
        // Null before another element is padding.
        if element == nil, index + 1 < elements.count { return [] }
        return divided(element, by: claims[element: index], at: path.appending(.index(index)))
      }
    }
    return [DecoderValue.UnknownMember(path: path, value: value)]
  }
}
