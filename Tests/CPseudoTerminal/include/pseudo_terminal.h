#ifndef PSEUDO_TERMINAL_H
#define PSEUDO_TERMINAL_H

#include <sys/types.h>

/// Opens a new terminal: the side of its window, and the path of the other.
/// Answers -1 and sets `errno` where there is none to be had.
int pseudo_terminal_open(char *path, size_t capacity);

/// Runs a program in a folder, as the first of a session whose terminal is the
/// one at a path, with signals as a shell hands them on. Answers the process,
/// or an error number below zero.
pid_t pseudo_terminal_spawn(const char *path, const char *folder,
                            char *const arguments[], char *const environment[]);

#endif
