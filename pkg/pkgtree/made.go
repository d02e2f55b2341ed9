package pkgtree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// madeIn is the file that lists the folders which a write in progress makes, beside the files that wait. When it
// is killed, those that hold nothing go again; others that are empty are somebody's. A line is the path of a
// folder, after how many of its names, counted from the end, were missing. Earlier releases have it in the
// package's folder, as madeName.
const (
	madeIn   = "folders"
	madeName = ".waybill-folders"
)

// mostOfMade is far above what the largest package takes.
const mostOfMade = 64 << 20

// mkdir makes a folder that is missing, and remembers it; that it will is on disk before.
func (w *staging) mkdir(in *os.Root, dir string, at int, name string) error {
	if err := w.announce(dir, at); err != nil {
		return err
	}
	err := in.Mkdir(name, 0o755)
	if err == nil {
		w.made = append(w.made, dir[:at])
	} else if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return mayWriteTo(dir[:at], err)
}

// announce writes down that dir is missing from dir[:at] on.
func (w *staging) announce(dir string, at int) (err error) {
	if w.finishes || w.quiet || strings.HasPrefix(w.announced+"/", dir+"/") { // with the one above it
		return nil
	}
	if _, err := w.waitingIn(w.in.root, "."); err != nil {
		return mayWriteTo(dir, err)
	}
	missing := 1 + strings.Count(dir[at:], "/")
	if _, err := fmt.Fprintf(w.note, "%d %s\n", missing, dir); err != nil {
		return about(dir, err)
	}
	w.announced = dir
	return nil
}

// newNote makes the list of folders, in the new folder called name.
func newNote(root *os.Root, name string) (*os.File, error) {
	return root.OpenFile(filepath.Join(name, madeIn), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
}

// removeMade removes the folders that a write to the folder dir, which was killed, has made and not filled. The
// list of them is the file called name there.
func removeMade(f *folders, dir, name string) error {
	p := path.Join(dir, name)
	st, err := f.lstat(p)
	if st == nil || err != nil || !st.Mode().IsRegular() || st.Size() > mostOfMade {
		return err
	}
	list, err := f.content(p, st, os.O_RDONLY)
	if err != nil {
		return err
	}
	for _, line := range slices.Backward(strings.Split(string(list), "\n")) { // what lies in a folder is named after it
		count, made, _ := strings.Cut(line, " ")
		if n, err := strconv.Atoi(count); err == nil && n > 0 && CheckPath(made) == nil {
			f.removeEmpty(path.Join(dir, made), min(n, 1+strings.Count(made, "/")))
		}
	}
	in, err := f.at(path.Dir(p), p)
	if in == nil || err != nil {
		return err
	}
	return about(p, in.Remove(path.Base(p)))
}
