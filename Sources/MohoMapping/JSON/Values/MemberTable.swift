/// The members of an object, in order, which are found by name in constant time.
/// Names are compared by their UTF-8 bytes.
struct MemberTable {
  /// The greatest number of members that are compared with a name in turn.
  static let greatestSearch = 8

  private var slots: [JSONValue.Member?]
  /// The positions of the members; nil while these are few.
  private var positions: [MemberName: Int]?

  init(_ members: JSONValue.Members) {
    slots = members.array
    indexIfNeeded()
  }

  /// The members that have not been removed.
  var members: JSONValue.Members { JSONValue.Members(slots.compactMap { $0 }) }

  func contains(_ name: String) -> Bool { position(of: name) != nil }

  /// The value of a member; nil if it does not exist.
  func value(for name: String) -> JSONValue? { position(of: name).flatMap { slots[$0]?.value } }

  /// Replaces the value of a member, appends a member, or removes it.
  mutating func set(_ value: JSONValue?, for name: String) {
    switch (value, position(of: name)) {
    case (let value?, let position?): slots[position]?.value = value
    case (let value?, nil):
      positions?[MemberName(name)] = slots.count
      slots.append(JSONValue.Member(name, value))
      indexIfNeeded()
    case (nil, let position?):
      positions?[MemberName(name)] = nil
      slots[position] = nil
    case (nil, nil): break
    }
  }

  private func position(of name: String) -> Int? {
    if let positions { return positions[MemberName(name)] }
    return slots.firstIndex { $0?.key.hasSameBytes(as: name) == true }
  }

  private mutating func indexIfNeeded() {
    guard positions == nil, slots.count > Self.greatestSearch else { return }
    let names = slots.enumerated().compactMap { position, member in
      member.map { (MemberName($0.key), position) }
    }
    positions = Dictionary(names) { first, _ in first }
  }
}
