package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// WriteFileTo writes what fill writes to a file completely or not at all, and keeps its mode. It writes into devices and pipes,
// and follows links.
func WriteFileTo(file string, fill func(io.Writer) error) error {
	var text bytes.Buffer
	err := fill(&text)
	if err == nil {
		err = WriteFile(file, text.Bytes())
	}
	var at *fs.PathError
	if errors.As(err, &at) { // the path may be that of a temporary file
		err = at.Err
	}
	if err != nil {
		return fmt.Errorf("write %q: %w", filepath.ToSlash(file), err)
	}
	return nil
}

// WriteFile writes a file as WriteFileTo does; its errors do not always name the file.
func WriteFile(file string, text []byte) error {
	target, info, err := writeTarget(file)
	switch {
	case err != nil:
		return err
	case target == "":
		f, err := os.OpenFile(file, os.O_WRONLY, 0) // #nosec G304 -- the user names it
		if err != nil {
			return err
		}
		_, err = f.Write(text)
		return errors.Join(err, f.Close())
	case info != nil && info.IsDir():
		return errors.New("is a directory")
	}
	return replaceFile(target, info, text)
}

// mostLinks limits how many links in a row are followed.
const mostLinks = 40

// writeTarget follows links to a file, which need not exist. It returns "" for what is not to be replaced: devices, pipes,
// and links of the system such as /dev/stdout.
func writeTarget(file string) (target string, info fs.FileInfo, err error) {
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

// replaceFile writes a new file beside the old one and renames it.
func replaceFile(file string, was fs.FileInfo, text []byte) error {
	f, err := createBeside(file)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil && was != nil {
		err = f.Chmod(was.Mode().Perm())
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error is the one to report
	}
	return err
}

// createBeside creates a temporary file in the same folder, with the default mode.
func createBeside(file string) (*os.File, error) {
	for n := 0; ; n++ {
		name := filepath.Join(filepath.Dir(file), fmt.Sprintf(".waybill-write-%d-%d", os.Getpid(), n))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // #nosec G302 G304 -- as the umask has it
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
