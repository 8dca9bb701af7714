import Foundation
import Moho
import TerminalScreen

/// An event for the screen that shows a list.
public enum WatchEvent: Sendable {
  /// A key was pressed, or the mouse was used.
  case key(Key)
  /// The terminal has this size now.
  case resize(TerminalSize)
  /// The list has changed.
  case update(ResultsUpdate<Episode>)
  /// The server of the store is not available. An update follows when it is
  /// available again.
  case outage
  /// Following the requested list succeeded, with the first generation of that
  /// list, or failed.
  case followed(Result<Int, any Error>)
  /// The browser has opened a page, or failed.
  case opened(URL, Result<Void, any Error>)
  /// An edit was saved, or failed.
  case edited(EpisodeEdit, Result<EpisodeEditor.Outcome, any Error>)
  /// The numbers of episodes of the podcasts, or an error of the store. The first
  /// event follows ``WatchAction/followPodcasts``, and others follow changes.
  case podcasts(Result<PodcastCounts, any Error>)
  /// The rows of the list that are not played, in any order.
  case foundUnplayed(Result<[Int64], any Error>)
  /// The refresh of feeds has made progress.
  case refreshing(RefreshStep)
  /// Time has passed.
  case tick
}

/// An action that an event requires from the program.
public enum WatchAction: Hashable, Sendable {
  /// Follow another list.
  case follow(EpisodeList)
  /// Open a page in the browser. The URL has the scheme `http` or `https`.
  case open(URL)
  /// Edit an episode.
  case edit(EpisodeEdit)
  /// Find the rows of a list that are not played.
  case findUnplayed(EpisodeList)
  /// Follow the numbers of episodes of the podcasts.
  case followPodcasts
  /// Stop following the numbers of episodes of the podcasts.
  case leavePodcasts
  /// Fetch the remembered feeds again, only those of a podcast unless it is nil.
  case refresh(podcast: String?)
  /// Cancel the refresh.
  case cancelRefresh
  /// Return the terminal to the shell and stop the process.
  case suspend
  /// Redraw the whole screen.
  case redraw
  /// End the program.
  case quit
}
