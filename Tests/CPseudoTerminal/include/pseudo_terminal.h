#ifndef PSEUDO_TERMINAL_H
#define PSEUDO_TERMINAL_H

#include <sys/types.h>

/// Opens a pseudoterminal. Returns the file descriptor of the window's side, and
/// writes the path of the processes' side. Returns -1 and sets `errno` on
/// failure.
int pseudo_terminal_open(char *path, size_t capacity);

/// Runs a program in a folder, as the leader of a new session with the terminal
/// at a path and with default signal handling. Returns the id of the process, or
/// a negative error number.
pid_t pseudo_terminal_spawn(const char *path, const char *folder,
                            char *const arguments[], char *const environment[]);

#endif
