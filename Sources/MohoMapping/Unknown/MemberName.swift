/// The name of a member, which is compared by its UTF-8 bytes, as in documents.
package struct MemberName: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: MemberName, other: MemberName) -> Bool {
    one.text.hasSameBytes(as: other.text)
  }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
