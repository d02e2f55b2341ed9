package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/waybill-dev/waybill/pkg/catalog"
)

// loadedTag is that of the function images of this process.
var loadedTag = fmt.Sprintf("v0.0.0-test.%d", os.Getpid())

// loaded builds the function images with the program, which the race detector does not slow down, and
// loads them into podman, once for all tests. TestMain takes them out again.
var loaded = sync.OnceValues(func() (string, error) {
	if out, err := build(); err != nil {
		return out, err
	}
	dir := filepath.Join(buildsDir, "images")
	program := exec.Command(filepath.Join(buildsDir, "waybill"), "image", "build", "--dir", "../..", "--tarball-dir", dir, "--tag", loadedTag, "--platform", hostPlatform())
	if out, err := program.CombinedOutput(); err != nil {
		return string(out), err
	}
	for _, f := range catalog.Functions {
		load := exec.Command("podman", "load", "--quiet", "--input", filepath.Join(dir, f.Name+".tar"))
		if out, err := load.CombinedOutput(); err != nil {
			return string(out), err
		}
		imagesLoaded = append(imagesLoaded, catalog.Registry+"/"+f.Name+":"+loadedTag)
	}
	return "", nil
})

// imagesLoaded are the images to take out of podman.
var imagesLoaded []string

// loadImages has the function images in podman, and returns their tag.
func loadImages(t *testing.T) string {
	t.Helper()
	if out, err := loaded(); err != nil {
		t.Fatalf("load images: %v\n%s", err, out)
	}
	return loadedTag
}

func unloadImages() {
	if len(imagesLoaded) == 0 {
		return
	}
	if out, err := exec.Command("podman", append([]string{"rmi", "--force"}, imagesLoaded...)...).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "images stay in podman: %v\n%s\n", err, strings.TrimSpace(string(out)))
	}
}
