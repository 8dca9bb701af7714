import MohoRows
import Testing

@testable import MohoResults

@Suite struct RowNumbersTests {
  @Test func numbersOfUnsavedRowsAreNotThoseOfOtherRows() {
    var numbers = RowNumbers()

    let first = numbers.number(of: .temporary(1)) { $0 == .min }
    let second = numbers.number(of: .temporary(2)) { $0 < .min + 4 }

    #expect(first == .min + 1)
    #expect(second == .min + 4)
    #expect(numbers.number(of: .temporary(1)) { _ in true } == first)
    #expect(numbers.number(of: .stored(7)) { _ in true } == 7)
    #expect(numbers.key(of: second) == .temporary(2))
  }
}
