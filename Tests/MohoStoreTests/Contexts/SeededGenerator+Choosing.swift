import MohoTesting

extension SeededGenerator {
  /// Returns a random element.
  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[below(elements.count)]
  }
}
