package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"unicode/utf8"
)

// temporary begins the names of what a write in progress makes: files that wait for their names, and folders
// that do. A number follows.
const temporary = ".waybill-tmp-"

// IsWorkName reports whether writes in progress give that name, so that a file or folder of it is no part of
// a package, wherever it lies. Letters of either case count: some file systems do not tell them apart.
func IsWorkName(name string) bool {
	if len(name) < len(temporary) || name[0] != '.' {
		return false
	}
	name = strings.ToLower(name)
	return name == journalName || name == madeName || isTemporary(name)
}

// isTemporary reports whether name is one that a write in progress gave to what is to have another.
func isTemporary(name string) bool {
	number, ok := strings.CutPrefix(name, temporary)
	return ok && number != "" && len(number) <= 20 && strings.Trim(number, "0123456789") == ""
}

// about is err, said of p: what the system was asked to do, and with which file of ours, helps nobody.
func about(p string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", short(p), bare(err))
}

// bare is err without the names that the system was given.
func bare(err error) error {
	var ofPath *fs.PathError
	var ofLink *os.LinkError
	switch {
	case errors.As(err, &ofPath):
		return ofPath.Err
	case errors.As(err, &ofLink):
		return ofLink.Err
	}
	return err
}

// mayWriteTo is err, said of p, where what failed is to change the folder that p is in.
func mayWriteTo(p string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s: its folder %q may not be written to, which replacing, adding or removing a file takes",
			short(p), short(path.Dir(p)))
	}
	return about(p, err)
}

// longest is how long a path may be to be shown whole; shownEnd is what is shown of each end of a longer one.
const (
	longest  = 255
	shownEnd = 100
)

// short is p as messages show it.
func short(p string) string {
	if len(p) <= longest {
		return p
	}
	head, tail := shownEnd, len(p)-shownEnd
	for head > 0 && !utf8.RuneStart(p[head]) {
		head--
	}
	for tail < len(p) && !utf8.RuneStart(p[tail]) {
		tail++
	}
	return p[:head] + "…" + p[tail:]
}

// mostTold is how many files are named that cannot be written.
const mostTold = 10

// troubles are what is wrong with the files of one write.
type troubles struct {
	told []error
	more int
}

// add takes err in. It reports whether to go on: what keeps one file from being written may spare the next,
// but not a disk that is full.
func (t *troubles) add(err error) bool {
	switch {
	case err == nil:
		return true
	case len(t.told) < mostTold:
		t.told = append(t.told, err)
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

func (t *troubles) err() error {
	if t.more > 0 {
		return errors.Join(append(t.told, fmt.Errorf("and %d more", t.more))...)
	}
	return errors.Join(t.told...)
}
