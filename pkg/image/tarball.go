package image

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// WriteTarball writes the image of idx for p to path, named ref, as podman load and docker load
// take it. Such an archive holds one platform; a layout holds all. Parent folders are made. The
// bytes depend on idx, ref and p only.
func WriteTarball(path, ref string, idx v1.ImageIndex, p Platform) error {
	tag, err := parseReference(ref)
	if err != nil {
		return err
	}
	img, err := find(idx, p)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = writeFile(path, func(w io.Writer) error { return tarball.Write(tag, img, w) })
	}
	if err != nil {
		return fmt.Errorf("tarball of %s: %w", ref, err)
	}
	return nil
}
