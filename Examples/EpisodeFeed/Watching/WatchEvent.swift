import Moho
import TerminalScreen

/// What happens while somebody watches a list.
public enum WatchEvent: Sendable {
  /// A key was pressed.
  case key(Key)
  /// The terminal has a size, perhaps another one.
  case resize(TerminalSize)
  /// The list has changed.
  case update(ResultsUpdate<Episode>)
  /// The list that was asked for is followed, from its state of a generation on,
  /// or cannot be.
  case followed(Result<Int, any Error>)
  /// An edit was saved, or could not be.
  case edited(EpisodeEdit, Result<EpisodeEditor.Outcome, any Error>)
  /// Time has passed.
  case tick
}

/// What is to be done because of an event.
public enum WatchAction: Hashable, Sendable {
  /// Follow another list from now on.
  case follow(EpisodeList)
  /// Edit an episode.
  case edit(EpisodeEdit)
  /// Leave the terminal to the shell for a while.
  case suspend
  /// Draw everything anew: something else has written to the terminal.
  case redraw
  /// End.
  case quit
}
