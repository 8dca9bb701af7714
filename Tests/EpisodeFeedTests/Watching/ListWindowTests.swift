import Moho
import Testing

@testable import EpisodeFeed

@Suite struct ListWindowTests {
  /// Windows on lists of up to six rows, with and without sections and deleted
  /// rows.
  private static let windows: [ListWindow] = {
    var windows: [ListWindow] = []
    for sections in [[0], [3], [1, 1], [2, 1, 3], [1, 2]] {
      for isSectioned in [false, true] where isSectioned || sections.count == 1 {
        var builder = OrderedIndex.Builder(sectioned: isSectioned)
        var row: Int64 = 0
        for (number, count) in sections.enumerated() {
          for _ in 0..<count {
            row += 1
            try? builder.append(row, section: isSectioned ? .integer(Int64(number)) : .all)
          }
        }
        let index = builder.finish()
        windows.append(ListWindow(index: index, hasHeadings: isSectioned))
        guard index.count > 1 else { continue }
        windows.append(
          ListWindow(
            index: index, hasHeadings: isSectioned,
            deletedRows: .init(before: [0: [0]], after: [1: [1, 2]])))
      }
    }
    return windows
  }()

  @Test func theRequestedRowIsVisibleFromAnyScrollPosition() {
    for window in Self.windows {
      for count in 3...9 {
        for position in 0..<window.index.count {
          for old in 0...window.index.count {
            let top = window.top(near: old, showing: position, count: count)
            let lines = window.lines(from: top, count: count)
            let scenario = "row \(position) of \(window) in \(count) lines from \(old)"
            #expect(lines.contains(.row(position: position)), "\(scenario)")
            #expect(lines.count <= count, "\(scenario)")
          }
        }
      }
    }
  }

  @Test func noLineIsEmptyIfARowCouldFillIt() {
    for window in Self.windows {
      for count in 5...9 {
        for old in 0...window.index.count {
          let top = window.top(near: old, showing: min(old, window.index.count - 1), count: count)
          let isFull = window.lines(from: top, count: count).count == count
          let scenario = "\(window) in \(count) lines from \(old)"
          // With another row at the top, the last row would not fit.
          #expect(
            top <= 0 || isFull || window.lines(from: top - 1, count: 99).count > count,
            "\(scenario)")
        }
      }
    }
  }

  @Test func selectingAVisibleRowDoesNotScroll() {
    for window in Self.windows {
      for count in 3...9 {
        for old in 0..<window.index.count {
          let top = window.top(near: old, showing: old, count: count)
          for line in window.lines(from: top, count: count) {
            guard case .row(let position) = line else { continue }
            #expect(window.top(near: top, showing: position, count: count) == top)
          }
        }
      }
    }
  }

  @Test func aRowIsShownAtTheRequestedLineIfThereAreEnoughRows() {
    let window = ListWindow(index: OrderedIndex(rowIDs: 1...100), hasHeadings: false)

    for line in 0..<20 {
      let top = window.top(showing: 50, atLine: line)
      #expect(window.line(of: 50, from: top, count: 20) == line)
    }
    #expect(window.top(showing: 3, atLine: 10) == 0)
  }
}
