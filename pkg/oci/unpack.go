package oci

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// UnpackLimits bound a package. A zero field means its default.
type UnpackLimits struct {
	Files int   // most entries of all layers; default 100,000
	Bytes int64 // most bytes of all files; default 512 MiB
}

func (l UnpackLimits) withDefaults() UnpackLimits {
	return UnpackLimits{Files: cmp.Or(l.Files, 100_000), Bytes: cmp.Or(l.Bytes, 512<<20)}
}

// Tree is the package in the layers of an artifact, and which of its files are executable. A file of a later layer replaces that of an
// earlier one, as Porch's drafts have it. Everything but files and folders is refused.
func (a *Artifact) Tree(limits UnpackLimits) (tree pkgtree.Tree, executable []string, err error) {
	u := unpacker{left: limits.withDefaults(), blobs: map[string]*pkgtree.Blob{}, executable: map[string]bool{}}
	for i, l := range a.Layers {
		if err := u.layer(l); err != nil {
			return tree, nil, fmt.Errorf("layer %d: %w", i+1, err)
		}
	}
	if tree, err = pkgtree.FromBlobs(u.blobs); err == nil {
		err = checkNames(tree)
	}
	for _, p := range tree.Paths() {
		if u.executable[p] {
			executable = append(executable, p)
		}
	}
	return tree, executable, err
}

// UnpackTree is the package in one layer.
func UnpackTree(layer Blob, limits UnpackLimits) (tree pkgtree.Tree, executable []string, err error) {
	return (&Artifact{Layers: []Blob{layer}}).Tree(limits)
}

type unpacker struct {
	left       UnpackLimits
	blobs      map[string]*pkgtree.Blob
	executable map[string]bool
}

// tarTypes are the media types of layers with tar files, and whether they are compressed.
var tarTypes = map[string]bool{
	FluxContent: true,
	"application/vnd.oci.image.layer.v1.tar+gzip":       true,
	"application/vnd.docker.image.rootfs.diff.tar.gzip": true,
	"application/vnd.oci.image.layer.v1.tar":            false,
	"application/vnd.docker.image.rootfs.diff.tar":      false,
}

func (u *unpacker) layer(l Blob) error {
	zipped, known := tarTypes[l.MediaType]
	if !known {
		return fmt.Errorf("media type %q is none of a package: want %s or a layer of an image", l.MediaType, FluxContent)
	}
	var in io.Reader = bytes.NewReader(l.Data)
	if zipped {
		z, err := gzip.NewReader(in)
		if err != nil {
			return fmt.Errorf("media type %q, but the content is not compressed so: %w", l.MediaType, err)
		}
		in = z // which needs no Close: the tar file has its end
	}
	// What is no file is headers and padding: half a KiB to some KiB for each entry.
	in = &bounded{in, 2*u.left.Bytes + 16<<20}
	return u.files(tar.NewReader(in))
}

// bounded is an error once more is read than may be.
type bounded struct {
	io.Reader
	left int64
}

var errTooLarge = errors.New("the package is larger than may be read: a layer unpacks to very much more than it has")

// Read reads on.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

func (u *unpacker) files(in *tar.Reader) error {
	seen := map[string]bool{}
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("not a tar file, or broken: %w", err)
		}
		if u.left.Files--; u.left.Files < 0 {
			return errors.New("the package has more entries than may be read")
		}
		if err := u.entry(in, h, seen); err != nil {
			return err
		}
	}
}

func (u *unpacker) entry(in io.Reader, h *tar.Header, seen map[string]bool) error {
	name := strings.TrimPrefix(h.Name, "./")
	if h.Typeflag == tar.TypeXGlobalHeader || h.Typeflag == tar.TypeDir && (name == "" || name == ".") {
		return nil
	}
	p := strings.TrimSuffix(name, "/")
	if err := pkgtree.CheckPath(p); err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeDir:
		return nil
	case tar.TypeReg:
	default:
		return fmt.Errorf("%q is a %s, and a package has only files and folders", p, kindOf(h.Typeflag))
	}
	switch {
	case p != name:
		return fmt.Errorf("%q is a file whose name ends in a slash", name)
	case seen[p]:
		return fmt.Errorf("%q is in the layer twice", p)
	case strings.HasPrefix(path.Base(p), ".wh."):
		return fmt.Errorf("%q is the mark of a deleted file in an image, and a package has none", p)
	case h.Size > u.left.Bytes:
		return errTooLarge
	}
	data, err := io.ReadAll(io.LimitReader(in, h.Size))
	if err != nil {
		return fmt.Errorf("%q: %w", p, err)
	}
	u.left.Bytes -= int64(len(data))
	seen[p] = true
	u.blobs[p], u.executable[p] = pkgtree.NewBlob(data), h.Mode&0o111 != 0
	return nil
}

// kindOf says what an entry is that is no file.
func kindOf(flag byte) string {
	switch flag {
	case tar.TypeSymlink:
		return "symbolic link"
	case tar.TypeLink:
		return "hard link"
	case tar.TypeChar, tar.TypeBlock:
		return "device"
	case tar.TypeFifo:
		return "named pipe"
	case tar.TypeGNUSparse:
		return "sparse file"
	}
	return fmt.Sprintf("tar entry of type %q", flag)
}

// checkNames refuses files whose names differ only in case: some file systems hold only one of them.
func checkNames(tree pkgtree.Tree) error {
	folded := map[string]string{}
	for _, p := range tree.Paths() {
		for at := p; at != "."; at = path.Dir(at) {
			key := strings.ToLower(at)
			if was, ok := folded[key]; ok && was != at {
				return fmt.Errorf("%q and %q differ only in case, and some file systems hold only one of them: rename one", was, at)
			}
			folded[key] = at
		}
	}
	return nil
}

// IsPackage reports whether an artifact looks like a package: whether all its layers are tar files.
func (a *Artifact) IsPackage() bool {
	return !slices.ContainsFunc(a.Layers, func(l Blob) bool { _, known := tarTypes[l.MediaType]; return !known })
}
