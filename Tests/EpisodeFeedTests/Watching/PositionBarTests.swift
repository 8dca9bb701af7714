import TerminalScreen
import Testing

@testable import EpisodeFeed

@Suite struct PositionBarTests {
  @Test func theFilledPartIsInTheBarAndTouchesAnEndOnlyAtTheEndOfTheList() {
    for height in 2...12 {
      for count in 1...40 {
        var lastStart = 0
        // The visible rows may be fewer than the lines, because of headings.
        for shown in [max(1, min(height, count) / 2), min(height, count)] {
          for first in 0...(count - shown) {
            let visible = first..<first + shown
            let scenario = "\(height) lines, \(visible) of \(count)"
            guard let bar = PositionBar(height: height, visible: visible, count: count) else {
              #expect(visible == 0..<count, "\(scenario)")
              continue
            }
            let filled = bar.filled
            if first == 0 { lastStart = 0 }

            #expect(!filled.isEmpty && filled.clamped(to: 0..<height) == filled, "\(scenario)")
            #expect(filled.lowerBound >= lastStart, "\(scenario)")
            if first == 0 { #expect(filled.lowerBound == 0, "\(scenario)") }
            if visible.upperBound == count, first > 0 {
              #expect(filled.upperBound == height, "\(scenario)")
            }
            if height - filled.count >= 2, first > 0, visible.upperBound < count {
              #expect(filled.lowerBound > 0 && filled.upperBound < height, "\(scenario)")
            }
            lastStart = filled.lowerBound
          }
        }
      }
    }
  }

  @Test func aLineOrAnEmptyListHasNoBar() {
    #expect(PositionBar(height: 1, visible: 0..<1, count: 9) == nil)
    #expect(PositionBar(height: 0, visible: 0..<1, count: 9) == nil)
    #expect(PositionBar(height: 9, visible: 0..<0, count: 0) == nil)
  }

  @Test func aLongListHasAShortFilledPart() throws {
    let bar = try #require(PositionBar(height: 20, visible: 0..<20, count: 1 << 40))

    #expect(bar.filled == 0..<1)
  }

  @Test func theBarFollowsTheList() async throws {
    var watcher = try Watcher(Episode.numbered(1...18), height: 12)
    #expect(watcher.bar == "████│││││")

    try await watcher.press(.end)
    #expect(watcher.bar == "│││││████")
    #expect(watcher.frame.lines[1].width == 60)
    try await watcher.press(.character("/"))
    try await watcher.type("18")

    #expect(watcher.bar == "")
  }

  @Test func theBarIsInTheLineBetweenTheListAndTheNotes() async throws {
    let watcher = try Watcher(Episode.numbered(1...60), width: 120, height: 23)

    let columns = watcher.frame.lines[1...20].map { Array($0.text)[71] }

    #expect(String(columns) == "██████" + String(repeating: "│", count: 14))
  }

  @Test func aNarrowListHasNoBar() throws {
    #expect(try Watcher(Episode.numbered(1...18), width: 19).bar == "")
    #expect(try Watcher(Episode.numbered(1...18), width: 20).bar != "")
  }
}
