package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"unicode/utf8"
)

// Wrap puts p before err, without the operation and the temporary file that err names.
func Wrap(p string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", Short(p), Cause(err))
}

// Cause is err without operation and file names.
func Cause(err error) error {
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

// WrapWrite is Wrap for an operation that changes the folder of p.
func WrapWrite(p string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s: no permission to write to its folder %q, which is necessary to replace, add or remove a file",
			Short(p), Short(path.Dir(p)))
	}
	return Wrap(p, err)
}

// maxShown is the length up to which messages show a whole path; shownEnd is what they show of each end of a longer one.
const (
	maxShown = 255
	shownEnd = 100
)

// Short is p as messages show it.
func Short(p string) string {
	if len(p) <= maxShown {
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
