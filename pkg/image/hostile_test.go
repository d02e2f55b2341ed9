package image

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// TestWriteLayoutStaysInside: a layout from elsewhere whose folder of blobs is a link gets nothing deleted elsewhere.
func TestWriteLayoutStaysInside(t *testing.T) {
	for _, link := range []string{"blobs", "blobs/sha256"} {
		dir, home := t.TempDir(), t.TempDir()
		mustWrite(t, home, map[string]string{"thesis.tex": "years of work", "sha256/thesis.tex": "years of work"})
		mustWrite(t, dir, map[string]string{"oci-layout": layoutVersion, "index.json": `{"schemaVersion": 2, "manifests": []}`})
		at := filepath.Join(dir, link)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(home, at); err != nil {
			t.Skip(err)
		}
		err := WriteLayout(dir, fleet+"bind:v1", mustBuild(t, fakeSpec("bind", "v1")))
		if want := link + " is no folder, but a link or a file"; !strings.HasSuffix(errorText(err), want) {
			t.Errorf("want %q, got %q", want, errorText(err))
		}
		if files := snapshot(t, home); len(files) != 2 {
			t.Errorf("%s: want both files, got %d", link, len(files))
		}
	}
}

// TestReadLayoutEnds: no file of a layout keeps a reader for ever.
func TestReadLayoutEnds(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip(err)
	}
	index := fmt.Sprintf(`{"schemaVersion": 2, "manifests": [{"mediaType": "application/vnd.oci.image.index.v1+json",
		"digest": "sha256:%064d", "size": 9000000000000000000, "annotations": {"org.opencontainers.image.ref.name": "bind:v1"}}]}`, 0)
	files := map[string]string{"oci-layout": layoutVersion, "index.json": index}
	for _, endless := range []string{"oci-layout", "index.json", fmt.Sprintf("blobs/sha256/%064d", 0)} {
		dir := t.TempDir()
		mustWrite(t, dir, files)
		mustWrite(t, dir, map[string]string{endless: ""})
		if err := os.Remove(filepath.Join(dir, endless)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/dev/zero", filepath.Join(dir, endless)); err != nil {
			t.Skip(err)
		}
		done := make(chan error, 1)
		go func() {
			all, err := ReadLayout(dir)
			for _, s := range all {
				err = s.Verify()
			}
			done <- err
		}()
		select {
		case err := <-done:
			if err == nil {
				t.Errorf("%s: want an error", endless)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: it is still read", endless)
		}
	}
}

// TestVerifyOnce: indexes that name each other many times over are verified, each once.
func TestVerifyOnce(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, dir, map[string]string{"oci-layout": layoutVersion})
	next := describedBlob(t, dir, `{"schemaVersion": 2, "manifests": []}`)
	for range 40 { // 2^40 ways lead to the last
		next = describedBlob(t, dir, fmt.Sprintf(`{"schemaVersion": 2, "manifests": [%s, %s]}`, next, next))
	}
	named := strings.TrimSuffix(next, "}") + `, "annotations": {"org.opencontainers.image.ref.name": "bind:v1"}}`
	mustWrite(t, dir, map[string]string{"index.json": `{"schemaVersion": 2, "manifests": [` + named + `]}`})
	all, err := ReadLayout(dir)
	if err != nil || len(all) != 1 {
		t.Fatalf("want one index, got %v, %v", all, err)
	}
	done := make(chan error, 1)
	go func() { done <- all[0].Verify() }()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it is still verified")
	}
	last := filepath.Join(dir, "blobs", "sha256", fmt.Sprintf("%x", sha256.Sum256([]byte(`{"schemaVersion": 2, "manifests": []}`))))
	if err := os.Remove(last); err != nil {
		t.Fatal(err)
	}
	if err := all[0].Verify(); !strings.Contains(errorText(err), "is missing") {
		t.Errorf("want what is missing, got %v", err)
	}
}

// describedBlob writes an index into a layout, and returns its descriptor.
func describedBlob(t testing.TB, dir, text string) string {
	t.Helper()
	hash, size, err := v1.SHA256(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	mustWrite(t, dir, map[string]string{filepath.Join("blobs", "sha256", hash.Hex): text})
	return fmt.Sprintf(`{"mediaType": "application/vnd.oci.image.index.v1+json", "digest": %q, "size": %d}`, hash, size)
}
