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

// writeFileTo writes a file whole or not at all, with the mode that it has, or that files get. What is there and is no file,
// such as a device or a pipe, is written to. Of a link it is the file that the link leads to.
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
	if errors.As(err, &at) { // whose file may be one of ours
		err = at.Err
	}
	if err != nil {
		return fmt.Errorf("write %q: %w", filepath.ToSlash(file), err)
	}
	return nil
}

// mostLinks is how many links in a row are followed.
const mostLinks = 40

// reportTarget follows links to a file, which need not be there; "" is for what is to be written to as it stands. What the
// system itself links to, such as /dev/stdout, is that, too.
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

// replaceFile writes beside the file, and puts that in its place.
func replaceFile(file string, was fs.FileInfo, fill func(io.Writer) error) (err error) {
	f, err := createBeside(file)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // what went wrong has been said
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

// createBeside makes a new file in the folder of another, with the mode that new files get.
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
