package pkgtree

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// temporary begins the names of staged files and folders. A number follows.
const temporary = ".waybill-tmp-"

// IsWorkName reports whether writes in progress use that name. A file or folder with such a name is no part of
// a package, in any folder. Case does not count, since some file systems ignore it.
func IsWorkName(name string) bool {
	if len(name) < len(temporary) || name[0] != '.' {
		return false
	}
	name = strings.ToLower(name)
	return name == legacyJournal || name == legacyMade || isTemporary(name)
}

// isTemporary reports whether name is that of a staged file or folder.
func isTemporary(name string) bool {
	number, ok := strings.CutPrefix(name, temporary)
	return ok && number != "" && len(number) <= 20 && strings.Trim(number, "0123456789") == ""
}

// maxErrors is the number of files that an error names.
const maxErrors = 10

// errorList collects the errors of the files of one write.
type errorList struct {
	first []error
	more  int
}

// add adds err, if it is one, and reports whether to go on: most errors concern one file, but a full disk
// concerns all.
func (t *errorList) add(err error) bool {
	switch {
	case err == nil:
		return true
	case len(t.first) < maxErrors:
		t.first = append(t.first, err)
	default:
		t.more++
	}
	for _, everywhere := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EMFILE, syscall.ENFILE} {
		if errors.Is(err, everywhere) {
			return false
		}
	}
	return true
}

func (t *errorList) err() error {
	if t.more > 0 {
		return errors.Join(append(t.first, fmt.Errorf("and %d more", t.more))...)
	}
	return errors.Join(t.first...)
}
