/// What keys do, as people are told.
enum WatchHelp {
  /// On one line, the most important ones first.
  static let browsing = [
    "? help", "q quit", "/ search", "e edit", "space played", "d delete", "u undo", "r redo",
    "↑↓ move",
  ]

  static let lines = [
    "",
    "  ↑ ↓  k j          the previous, the next row",
    "  PgUp PgDn         a page up, down",
    "  Home End  g G     the first row, the last",
    "",
    "  /                 search titles and summaries as you type; Esc shows all",
    "  Enter  e          edit the title",
    "  space  p          mark as played or not played",
    "  d                 delete",
    "  u                 undo, any number of steps",
    "  r  Ctrl-R         redo",
    "",
    "  Ctrl-L  Ctrl-Z    redraw, suspend",
    "  q  Ctrl-C         quit",
    "",
    "  +  new   ~  changed   ↑ ↓  moved   ↑~ ↓~  moved and changed   −  deleted",
  ]
}
