// Package osfile has what operating systems do differently with files: locks between processes, owners and identities.
//
// Shape: an open file or what os.Stat says about one in; an error, an owner or a text out.
// Cost: one system call. Nothing waits.
// Errors: ErrLocked for a file that another process has locked; others where the system or the file system cannot lock it.
// Source: the manual pages flock(2) and stat(2), and Microsoft's documentation of LockFileEx.
//
// On Windows, folders cannot be locked, and files have neither a numeric owner nor an identity that is cheap to read.
package osfile

import "errors"

// ErrLocked says that another process has locked a file.
var ErrLocked = errors.New("another process has locked it")

// Lock is a kind of lock. Files have at most one Exclusive lock, or any number of Shared ones.
type Lock int

// The kinds of locks.
const (
	Shared Lock = iota
	Exclusive
)

// Owner is the owner of a file.
type Owner struct{ User, Group int }
