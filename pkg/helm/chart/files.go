package chart

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// File is a file of a chart. Name is a slash path below the folder of the chart.
type File struct {
	Name string
	Data []byte
}

// The bounds of a chart with all charts in it. Those of bytes are Helm's own, but Helm applies them to each archive in an archive anew.
const (
	MaxBytes     = 100 << 20 // of all files, unpacked
	MaxFileBytes = 5 << 20
	MaxFiles     = 20_000
	maxCharts    = 500
	maxDepth     = 16 // charts in charts
)

// budget is what the files of one chart may still take.
type budget struct{ bytes, files, charts int }

func newBudget() *budget { return &budget{MaxBytes, MaxFiles, maxCharts} }

// take counts a file of that size.
func (b *budget) take(name string, size int64) error {
	switch {
	case size > MaxFileBytes:
		return fmt.Errorf("file %q is larger than %d MiB", name, MaxFileBytes>>20)
	case size > int64(b.bytes):
		return fmt.Errorf("the files of the chart are larger than %d MiB", MaxBytes>>20)
	case b.files == 0:
		return fmt.Errorf("the chart has more than %d files", MaxFiles)
	}
	b.bytes, b.files = b.bytes-int(size), b.files-1
	return nil
}

// Archive unpacks a chart's .tgz in memory. It refuses links, paths out of the chart, and more than the bounds allow.
func Archive(data []byte) ([]File, error) { return unpack(data, newBudget()) }

// utf8BOM is removed from the beginning of a file, as Helm does.
var utf8BOM = []byte("\xef\xbb\xbf")

func unpack(data []byte, b *budget) (files []File, err error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("not a gzip-compressed archive: %w", err)
	}
	archive := tar.NewReader(unzipped)
	for entries := 0; ; entries++ {
		header, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF):
			if len(files) == 0 {
				return nil, errors.New("the archive has no files")
			}
			return files, nil
		case err != nil:
			return nil, fmt.Errorf("broken archive: %w", err)
		case entries > MaxFiles:
			return nil, fmt.Errorf("the chart has more than %d files", MaxFiles)
		case header.Typeflag == tar.TypeXGlobalHeader || header.FileInfo().IsDir():
			continue
		}
		f, err := entry(archive, header, b)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
}

// entry reads one file of an archive.
func entry(archive io.Reader, header *tar.Header, b *budget) (f File, err error) {
	if header.Typeflag != tar.TypeReg {
		return f, fmt.Errorf("entry %q is a link or a device; a chart has only files", header.Name)
	}
	if f.Name, err = nameIn(header.Name); err != nil {
		return f, err
	}
	if err := b.take(header.Name, header.Size); err != nil {
		return f, err
	}
	if f.Data, err = io.ReadAll(io.LimitReader(archive, header.Size)); err != nil {
		return f, fmt.Errorf("entry %q: broken archive: %w", header.Name, err)
	}
	f.Data = bytes.TrimPrefix(f.Data, utf8BOM)
	return f, nil
}

var drive = lazyregexp.New(`^[a-zA-Z]:/`)

// nameIn is the name of an entry without its first folder, which is the chart's.
func nameIn(entry string) (string, error) {
	slashed := entry
	if strings.Contains(entry, `\`) {
		slashed = strings.ReplaceAll(entry, `\`, "/")
	}
	folder, name, _ := strings.Cut(slashed, "/")
	cleaned := path.Clean(name)
	switch {
	case folder == "Chart.yaml":
		return "", errors.New("the archive has Chart.yaml at its root; it must be in a folder")
	case path.IsAbs(name), cleaned == ".", cleaned == "..", strings.HasPrefix(cleaned, "../"), drive.MatchString(cleaned), folder == "..":
		return "", fmt.Errorf("entry %q is outside of the chart's folder", entry)
	}
	return cleaned, nil
}
