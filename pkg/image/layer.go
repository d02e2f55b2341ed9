package image

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// kpt runs every function with `--user nobody`; an engine resolves that name in the image. There
// is no root in the database, so that an engine or user cannot request it by name.
const (
	passwd = "nobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\n"
	group  = "nobody:x:65534:\n"
)

// epoch is the only time in an image.
var epoch = time.Unix(0, 0).UTC()

// binDir is the folder of the binary in the image.
const binDir = "usr/local/bin/"

// newLayer returns the one layer of an image.
func newLayer(s Spec, binary []byte) (v1.Layer, error) {
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if err := writeRootFS(zip, s.files(binary)); err != nil {
		return nil, fmt.Errorf("layer of %q: %w", s.Name, err)
	}
	if err := zip.Close(); err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(packed.Bytes())), nil }
	return tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer))
}

// file is one of an image, or a folder when its path ends in a slash.
type file struct {
	path string
	mode int64
	body []byte
}

// files are the files of the image, in path order. All belong to uid 0 and are read-only for every user: the images run with
// a read-only root.
func (s Spec) files(binary []byte) []file {
	if s.Controller {
		return s.controllerFiles(binary)
	}
	return []file{
		{"etc/", 0o755, nil},
		{"etc/group", 0o444, []byte(group)},
		{"etc/passwd", 0o444, []byte(passwd)},
		{"usr/", 0o755, nil},
		{"usr/local/", 0o755, nil},
		{binDir, 0o755, nil},
		{binDir + s.Name, 0o555, binary},
	}
}

func writeRootFS(w io.Writer, files []file) error {
	tw := tar.NewWriter(w)
	for _, f := range files {
		if err := writeEntry(tw, f.path, f.mode, f.body); err != nil {
			return err
		}
	}
	return tw.Close()
}

// writeEntry writes a directory when path ends in a slash, else a file.
func writeEntry(tw *tar.Writer, path string, mode int64, body []byte) error {
	kind := byte(tar.TypeReg)
	if path[len(path)-1] == '/' {
		kind = tar.TypeDir
	}
	head := &tar.Header{
		Typeflag: kind, Name: path, Mode: mode, Size: int64(len(body)),
		ModTime: epoch, Format: tar.FormatUSTAR,
	}
	if err := tw.WriteHeader(head); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	_, err := tw.Write(body)
	return err
}
