import TerminalScreen
import Testing

@testable import EpisodeFeed

@Suite struct ScreenLayoutTests {
  private static let sizes = (1...60).flatMap { height in
    [1, 2, 15, 16, 20, 39, 40, 74, 80, 99, 100, 101, 150, 200, 400].map {
      TerminalSize(width: $0, height: height)
    }
  }

  @Test(arguments: [nil, true, false]) func thePartsFillTheScreen(hasNotes: Bool?) {
    for size in Self.sizes {
      for messageHeight in [1, 2, 5, 90] {
        let layout = ScreenLayout(size, messageHeight: messageHeight, hasNotes: hasNotes)
        let scenario = "\(layout)"

        let height =
          layout.headerHeight + layout.bodyHeight + layout.statusHeight + (layout.hasHelp ? 1 : 0)
        #expect(height == size.height, "\(scenario)")
        #expect(layout.listHeight >= (size.height == 1 ? 1 : 0), "\(scenario)")
        #expect(layout.listHeight >= 1, "\(scenario)")
        #expect(layout.listWidth >= 1 && layout.listWidth <= size.width, "\(scenario)")
        if let notes = layout.notesSize {
          #expect(hasNotes != false, "\(scenario)")
          #expect(notes.height >= 1 && notes.width >= 15, "\(scenario)")
          #expect(notes.height <= size.height && notes.width < size.width, "\(scenario)")
        }
      }
    }
  }

  @Test(
    arguments: [
      (80, 24, nil, nil), (99, 29, nil, nil), (100, 24, nil, .beside(width: 40)),
      (200, 50, nil, .beside(width: 80)), (400, 50, nil, .beside(width: 90)),
      (80, 30, nil, .below(height: 10)), (80, 24, true, .below(height: 8)),
      (40, 10, true, .below(height: 2)), (40, 7, true, nil), (15, 24, true, nil),
      (200, 50, false, nil), (100, 4, true, nil),
    ] as [(Int, Int, Bool?, ScreenLayout.Notes?)])
  func notesAreBesideOrBelowTheList(
    width: Int, height: Int, hasNotes: Bool?, notes: ScreenLayout.Notes?
  ) {
    let layout = ScreenLayout(
      TerminalSize(width: width, height: height), messageHeight: 1, hasNotes: hasNotes)

    #expect(layout.notes == notes)
  }

  @Test(arguments: [nil, true, false]) func eachPositionBelongsToOneArea(hasNotes: Bool?) {
    for size in Self.sizes where size.height < 40 {
      let layout = ScreenLayout(size, messageHeight: 1, hasNotes: hasNotes)
      var lines: Set<Int> = []
      for line in -1...size.height {
        for column in [-1, 0, layout.listWidth - 1, layout.listWidth, size.width - 1, size.width] {
          let area = layout.area(at: Frame.Position(line: line, column: column))
          if case .list(let number) = area { lines.insert(number) }
          if area == .notes { #expect(layout.notes != nil) }
        }
      }
      #expect(lines == Set(0..<layout.listHeight), "\(layout)")
    }
  }
}
