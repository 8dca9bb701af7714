import Moho
import TerminalScreen

/// An event for the screen that shows a list.
public enum WatchEvent: Sendable {
  /// A key was pressed.
  case key(Key)
  /// The terminal has this size now.
  case resize(TerminalSize)
  /// The list has changed.
  case update(ResultsUpdate<Episode>)
  /// Following the requested list succeeded, with the first generation of that
  /// list, or failed.
  case followed(Result<Int, any Error>)
  /// An edit was saved, or failed.
  case edited(EpisodeEdit, Result<EpisodeEditor.Outcome, any Error>)
  /// Time has passed.
  case tick
}

/// An action that an event requires from the program.
public enum WatchAction: Hashable, Sendable {
  /// Follow another list.
  case follow(EpisodeList)
  /// Edit an episode.
  case edit(EpisodeEdit)
  /// Return the terminal to the shell and stop the process.
  case suspend
  /// Redraw the whole screen.
  case redraw
  /// End the program.
  case quit
}
