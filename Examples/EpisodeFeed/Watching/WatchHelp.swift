/// The help texts of the screen.
enum WatchHelp {
  /// The entries of the help line, the most important first.
  static let browsing = [
    "? help", "q quit", "/ search", "o open", "n notes", "s order", "e edit", "space played",
    "d delete", "u undo", "r redo", "↑↓ move",
  ]

  /// The lines of the help screen.
  static let lines = [
    "",
    "  ↑ ↓  k j          select the previous, next episode",
    "  PgUp PgDn         move a page up, down",
    "  Home End  g G     select the first, last episode",
    "",
    "  o  Enter          open the page of the episode in the browser",
    "  n                 show or hide the show notes",
    "  J K               scroll the show notes down, up",
    "",
    "  /                 search titles and summaries as you type; Esc shows all",
    "  s                 change the order: newest first, oldest first, A to Z,",
    "                    longest first",
    "  S                 change the sections: none, by season, by podcast",
    "",
    "  e                 edit the title",
    "  space  p          mark as played or not played",
    "  d                 delete",
    "  u                 undo, any number of steps",
    "  r  Ctrl-R         redo",
    "",
    "  Ctrl-L  Ctrl-Z    redraw, suspend",
    "  q  Ctrl-C         quit",
    "",
    "  click             select an episode; double-click opens its page",
    "  wheel             scroll the list, or the show notes",
    "                    Most terminals select text while Shift is pressed.",
    "",
    "  +  new   ~  changed   ↑ ↓  moved   ↑~ ↓~  moved and changed   −  deleted",
  ]
}
