package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// writeFileTo writes a file completely or not at all, and keeps its mode. It writes into devices and pipes, and follows
// links.
func writeFileTo(file string, fill func(io.Writer) error) error {
	err := func() error {
		target, info, err := reportTarget(file)
		switch {
		case err != nil:
			return err
		case target == "":
			return writeThrough(file, fill)
		case info != nil && info.IsDir():
			return errors.New("is a directory")
		}
		return replaceFile(target, info, fill)
	}()
	var at *fs.PathError
	if errors.As(err, &at) { // the path may be that of a temporary file
		err = at.Err
	}
	if err != nil {
		return fmt.Errorf("write %q: %w", filepath.ToSlash(file), err)
	}
	return nil
}

// mostLinks limits how many links in a row are followed.
const mostLinks = 40

// reportTarget follows links to a file, which need not exist. It returns "" for what is not to be replaced: devices, pipes,
// and links of the system such as /dev/stdout.
func reportTarget(file string) (target string, info fs.FileInfo, err error) {
	for range mostLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(file))
		if err != nil {
			return "", nil, err
		}
		file = filepath.Join(dir, filepath.Base(file))
		info, err := os.Lstat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return file, nil, nil
		case err != nil:
			return "", nil, err
		case info.Mode().IsRegular(), info.IsDir():
			return file, info, nil
		case info.Mode()&fs.ModeSymlink == 0, strings.HasPrefix(dir, "/proc/"):
			return "", nil, nil
		}
		to, err := os.Readlink(file)
		if err != nil {
			return "", nil, err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		file = to
	}
	return "", nil, errors.New("too many links")
}

func writeThrough(file string, fill func(io.Writer) error) (err error) {
	f, err := os.OpenFile(file, os.O_WRONLY, 0) // #nosec G304 -- the user names it
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return buffered(f, fill)
}

// replaceFile writes a new file beside the old one and renames it.
func replaceFile(file string, was fs.FileInfo, fill func(io.Writer) error) (err error) {
	f, err := createBeside(file)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // the first error is the one to report
			_ = os.Remove(f.Name())
		}
	}()
	if err = buffered(f, fill); err != nil {
		return err
	}
	if was != nil {
		if err = f.Chmod(was.Mode().Perm()); err != nil {
			return err
		}
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// createBeside creates a temporary file in the same folder, with the default mode.
func createBeside(file string) (*os.File, error) {
	for n := 0; ; n++ {
		name := filepath.Join(filepath.Dir(file), fmt.Sprintf(".waybill-report-%d-%d", os.Getpid(), n))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // #nosec G302 G304 -- as the umask has it
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

func buffered(f io.Writer, fill func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	if err := fill(w); err != nil {
		return err
	}
	return w.Flush()
}
