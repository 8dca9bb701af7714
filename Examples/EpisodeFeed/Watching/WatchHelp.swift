/// What keys do, as people are told.
enum WatchHelp {
  /// On one line, the most important ones first.
  static let browsing = [
    "? help", "q quit", "/ search", "e edit", "space played", "d delete", "u undo", "r redo",
    "↑↓ move",
  ]

  static let lines = [
    "",
    "  ↑ ↓  k j          the row above, below",
    "  PgUp PgDn         a page up, down",
    "  Home End  g G     the first row, the last",
    "",
    "  /                 search as you type, in title and summary; Esc shows all",
    "  Enter  e          edit the title",
    "  space  p          played, or not",
    "  d                 delete",
    "  u                 undo, back to when the program began",
    "  r  Ctrl-R         redo",
    "",
    "  Ctrl-L  Ctrl-Z    draw anew, stop for a while",
    "  q  Ctrl-C         quit",
    "",
    "  +  new   ~  changed   ↑ ↓  moved   ↑~ ↓~  moved and changed   −  deleted",
  ]
}
