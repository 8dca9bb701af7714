import MohoTesting

extension SeededGenerator {
  /// One of some elements.
  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[below(elements.count)]
  }
}
