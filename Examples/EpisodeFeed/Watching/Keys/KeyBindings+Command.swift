import TerminalScreen

extension KeyBindings {
  /// A command that a key runs while the list is shown. The raw values are the
  /// names in files of key bindings.
  enum Command: String, CaseIterable, Sendable {
    case selectPrevious = "select-previous"
    case selectNext = "select-next"
    case pageUp = "page-up"
    case pageDown = "page-down"
    case selectFirst = "select-first"
    case selectLast = "select-last"
    case nextUnplayed = "next-unplayed"
    case openPage = "open-page"
    case toggleNotes = "toggle-notes"
    case scrollNotesDown = "scroll-notes-down"
    case scrollNotesUp = "scroll-notes-up"
    case showPodcasts = "show-podcasts"
    case refresh
    case search
    case changeOrder = "change-order"
    case changeSections = "change-sections"
    case hidePlayed = "hide-played"
    case editTitle = "edit-title"
    case togglePlayed = "toggle-played"
    case markAllPlayed = "mark-all-played"
    case markAllUnplayed = "mark-all-unplayed"
    case delete
    case undo
    case redo
    case help
    case quit
  }
}

extension KeyBindings.Command {
  /// The keys unless the user has chosen others.
  var defaultKeys: [Key] {
    switch self {
    case .selectPrevious: [.up, .character("k"), .control("p")]
    case .selectNext: [.down, .character("j"), .control("n")]
    case .pageUp: [.pageUp, .control("b")]
    case .pageDown: [.pageDown, .control("f")]
    case .selectFirst: [.home, .character("g")]
    case .selectLast: [.end, .character("G")]
    case .nextUnplayed: [.character("N"), .tab]
    case .openPage: [.character("o"), .enter]
    case .toggleNotes: [.character("n")]
    case .scrollNotesDown: [.character("J")]
    case .scrollNotesUp: [.character("K")]
    case .showPodcasts: [.character("P"), .character("h"), .left]
    case .refresh: [.character("R")]
    case .search: [.character("/")]
    case .changeOrder: [.character("s")]
    case .changeSections: [.character("S")]
    case .hidePlayed: [.character("H")]
    case .editTitle: [.character("e")]
    case .togglePlayed: [.character(" "), .character("p")]
    case .markAllPlayed: [.character("A")]
    case .markAllUnplayed: [.character("U")]
    case .delete: [.character("d"), .delete]
    case .undo: [.character("u")]
    case .redo: [.character("r"), .control("r")]
    case .help: [.character("?")]
    case .quit: [.character("q")]
    }
  }

  /// What the command does, for the help screen.
  var summary: String {
    switch self {
    case .selectPrevious: "select the previous episode"
    case .selectNext: "select the next episode"
    case .pageUp: "move a page up"
    case .pageDown: "move a page down"
    case .selectFirst: "select the first episode"
    case .selectLast: "select the last episode"
    case .nextUnplayed: "select the next episode that is not played"
    case .openPage: "open the page of the episode in the browser"
    case .toggleNotes: "show or hide the show notes"
    case .scrollNotesDown: "scroll the show notes down"
    case .scrollNotesUp: "scroll the show notes up"
    case .showPodcasts: "show the podcasts; Enter shows the episodes of one"
    case .refresh:
      "fetch the remembered feeds again, or those of the shown podcast; Esc cancels"
    case .search: "search titles and summaries as you type; Esc shows all"
    case .changeOrder:
      "change the order: newest first, oldest first, A to Z, longest first"
    case .changeSections: "change the sections: none, by season, by podcast"
    case .hidePlayed: "hide or show played episodes"
    case .editTitle: "edit the title"
    case .togglePlayed: "mark as played or not played"
    case .markAllPlayed: "mark all episodes of the list as played"
    case .markAllUnplayed: "mark all episodes of the list as not played"
    case .delete: "delete"
    case .undo: "undo, any number of steps"
    case .redo: "redo"
    case .help: "this help"
    case .quit: "quit"
    }
  }

  /// The commands of the help line, the most important first, and what they
  /// are called there.
  static let helpLine: [(command: KeyBindings.Command, name: String)] = [
    (.help, "help"), (.quit, "quit"), (.search, "search"), (.showPodcasts, "podcasts"),
    (.refresh, "refresh"), (.nextUnplayed, "next"), (.openPage, "open"), (.toggleNotes, "notes"),
    (.changeOrder, "order"), (.editTitle, "edit"), (.togglePlayed, "played"),
    (.hidePlayed, "hide played"), (.delete, "delete"), (.undo, "undo"), (.redo, "redo"),
  ]

  /// The commands of the help screen, in groups.
  static let groups: [[KeyBindings.Command]] = [
    [
      .selectPrevious, .selectNext, .pageUp, .pageDown, .selectFirst, .selectLast, .nextUnplayed,
    ],
    [.openPage, .toggleNotes, .scrollNotesDown, .scrollNotesUp],
    [.showPodcasts, .refresh],
    [.search, .changeOrder, .changeSections, .hidePlayed],
    [
      .editTitle, .togglePlayed, .markAllPlayed, .markAllUnplayed, .delete, .undo, .redo,
    ],
    [.help, .quit],
  ]
}
