package oci_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// tarball is a layer of these entries. A header without a size has that of its content.
func tarball(t testing.TB, entries ...tar.Header) oci.Blob {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, h := range entries {
		content := "content of " + h.Name
		if h.Typeflag == 0 {
			h.Typeflag, h.Size = tar.TypeReg, int64(len(content))
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := io.WriteString(w, content); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return oci.Blob{MediaType: oci.FluxContent, Data: b.Bytes()}
}

func named(names ...string) (out []tar.Header) {
	for _, n := range names {
		out = append(out, tar.Header{Name: n})
	}
	return out
}

// bomb is n zeros, compressed: as one file, or as what comes after the files.
func bomb(t *testing.T, file bool, n int64) oci.Blob {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if file {
		if err := tar.NewWriter(z).WriteHeader(&tar.Header{Name: "zeros", Typeflag: tar.TypeReg, Size: n}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.CopyN(z, zeros{}, n); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return oci.Blob{MediaType: oci.FluxContent, Data: b.Bytes()}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestUnpackRefuses: a layer that is no package is refused, and says what is wrong with it.
func TestUnpackRefuses(t *testing.T) {
	link := func(flag byte, name, to string) tar.Header {
		return tar.Header{Typeflag: flag, Name: name, Linkname: to}
	}
	whole := tarball(t, named("Kptfile")...)
	lying := func(mediaType string, data []byte) oci.Blob { return oci.Blob{MediaType: mediaType, Data: data} }
	for name, tc := range map[string]struct {
		layer oci.Blob
		want  string
	}{
		"escape":          {tarball(t, named("../evil")...), `"../evil"`},
		"escape inside":   {tarball(t, named("a/../../evil")...), "a/../../evil"},
		"absolute":        {tarball(t, named("/etc/passwd")...), "is absolute"},
		"doubled slash":   {tarball(t, named("a//b")...), "is not clean"},
		"backslash":       {tarball(t, named(`a\..\b`)...), "backslash"},
		"dot git":         {tarball(t, named(".git/config")...), ".git"},
		"dot git, folded": {tarball(t, named("sub/.GIT/hooks/post-checkout")...), ".git"},
		"symbolic link":   {tarball(t, link(tar.TypeSymlink, "link", "/etc/passwd")), "symbolic link"},
		"hard link":       {tarball(t, link(tar.TypeLink, "link", "/etc/passwd")), "hard link"},
		"device":          {tarball(t, link(tar.TypeChar, "null", "")), "device"},
		"block device":    {tarball(t, link(tar.TypeBlock, "sda", "")), "device"},
		"pipe":            {tarball(t, link(tar.TypeFifo, "pipe", "")), "named pipe"},
		"twice":           {tarball(t, named("a", "a")...), `"a" is in the layer twice`},
		"twice, dotted":   {tarball(t, named("a", "./a")...), `"a" is in the layer twice`},
		"case":            {tarball(t, named("Web.yaml", "web.yaml")...), "differ only in case"},
		"case of folder":  {tarball(t, named("Apps/a.yaml", "apps/b.yaml")...), "differ only in case"},
		"file and folder": {tarball(t, named("a", "a/b")...), "needs a directory where"},
		"deleted":         {tarball(t, named(".wh.a")...), "mark of a deleted file"},
		"bomb":            {bomb(t, true, 1<<20), "larger than may be read"},
		"bomb after it":   {bomb(t, false, 64<<20), ""},
		"many entries":    {tarball(t, named("a", "b", "c", "d", "e")...), "more entries"},
		"not compressed":  {lying(oci.FluxContent, []byte("kind: Kptfile")), "not compressed so"},
		"cut":             {lying(oci.FluxContent, whole.Data[:len(whole.Data)/2]), "not a tar file, or broken"},
		"compressed":      {lying("application/vnd.oci.image.layer.v1.tar", whole.Data), "not a tar file, or broken"},
		"chart":           {lying("application/vnd.cncf.helm.chart.content.v1.tar+gzip", whole.Data), `media type "application/vnd.cncf.helm.chart.content.v1.tar+gzip" is none of a package`},
		"zstd":            {lying("application/vnd.oci.image.layer.v1.tar+zstd", whole.Data), "is none of a package"},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := oci.UnpackTree(tc.layer, oci.UnpackLimits{Files: 4, Bytes: 1 << 19})
			if tc.want == "" {
				if err != nil || got.Len() > 0 {
					t.Errorf("want an empty package, got %v, %v", got.Paths(), err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("want %q, got %v, %v", tc.want, got.Paths(), err)
			}
		})
	}
}

// TestUnpackLayers: Porch adds a layer for each change, and the later one counts.
func TestUnpackLayers(t *testing.T) {
	first, second := tarball(t, named("./", "./Kptfile", "web.yaml")[1:]...), tarball(t, tar.Header{Name: "run.sh", Mode: 0o755}, tar.Header{Name: "web.yaml"})
	first.MediaType = "application/vnd.docker.image.rootfs.diff.tar.gzip"
	second.MediaType = "application/vnd.oci.image.layer.v1.tar+gzip"
	a := oci.Artifact{Layers: []oci.Blob{first, second}}
	got, executable, err := a.Tree(oci.UnpackLimits{})
	if err != nil || strings.Join(got.Paths(), " ") != "Kptfile run.sh web.yaml" || len(executable) != 1 || !a.IsPackage() {
		t.Errorf("got %v, %v, %v", got.Paths(), executable, err)
	}
}

// TestPackRefuses: what cannot be pulled is not pushed.
func TestPackRefuses(t *testing.T) {
	if _, err := oci.PackTree(tree(t, map[string]string{"a": "", "A": ""}), nil); err == nil || !strings.Contains(err.Error(), "differ only in case") {
		t.Errorf("got %v", err)
	}
}

// FuzzUnpack: what a layer unpacks to is a package within bounds, and packing it again gives it back.
func FuzzUnpack(f *testing.F) {
	f.Add(true, tarball(f, named("Kptfile", "sub/web.yaml")...).Data)
	f.Add(false, []byte(strings.Repeat("\x00", 1024)))
	for _, h := range []tar.Header{{Name: "../a"}, {Name: "l", Typeflag: tar.TypeSymlink, Linkname: "/"}, {Name: "d/", Typeflag: tar.TypeDir}, {Name: "x", Mode: 0o755, PAXRecords: map[string]string{"comment": "c"}}} {
		f.Add(true, tarball(f, h).Data)
	}
	f.Fuzz(func(t *testing.T, zipped bool, data []byte) {
		layer := oci.Blob{MediaType: "application/vnd.oci.image.layer.v1.tar", Data: data}
		if zipped {
			layer.MediaType = oci.FluxContent
		}
		const most = 1 << 20
		got, executable, err := oci.UnpackTree(layer, oci.UnpackLimits{Files: 100, Bytes: most})
		if err != nil {
			return
		}
		if got.Len() > 100 || size(got) > most {
			t.Errorf("%d files of %d bytes", got.Len(), size(got))
		}
		packed, err := oci.PackTree(got, executable)
		if err != nil {
			t.Fatal(err)
		}
		again, programs, err := oci.UnpackTree(packed, oci.UnpackLimits{Files: math.MaxInt, Bytes: most})
		if err != nil || !again.Equal(got) || fmt.Sprint(programs) != fmt.Sprint(executable) {
			t.Errorf("got %v, want %v: %v", again.Paths(), got.Paths(), err)
		}
	})
}

func size(tree pkgtree.Tree) (sum int) {
	for _, b := range tree.All() {
		sum += len(b.Data())
	}
	return sum
}
