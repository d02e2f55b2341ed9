package main

import (
	"io"
	"log"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

const installPage = "../../docs/install.md"

// The parts of the page on installation that need more than a checkout, and have tests of their own.
const (
	fromRelease = "From a release"
	airGapped   = "Without access to the internet"
)

// commandsOf are the commands of the parts of a page that keep accepts, by their headings.
func commandsOf(t *testing.T, page string, keep func(heading string) bool) string {
	t.Helper()
	var out strings.Builder
	for part := range strings.SplitSeq("\n"+readText(t, page), "\n## ") {
		heading, text, _ := strings.Cut(part, "\n")
		if !keep(heading) {
			continue
		}
		for _, line := range slices.Concat(blocksIn(text, "sh")...) {
			out.WriteString(line + "\n")
		}
	}
	if out.Len() == 0 {
		t.Fatalf("%s has no such commands", page)
	}
	return out.String()
}

// TestInstallFromRelease runs the commands of the page on the files of a release: curl takes them from its folder.
func TestInstallFromRelease(t *testing.T) {
	dir, home, end := release(t), t.TempDir(), "_linux_"+runtime.GOARCH+".tar.gz"
	archive := filepath.Base(releaseFiles(t, dir, "waybill_.*"+regexp.QuoteMeta(end))[0])
	version := strings.TrimSuffix(strings.TrimPrefix(archive, "waybill_"), end)
	writeFile(t, filepath.Join(home, "bin", "curl"), "#!/bin/sh\nfor url; do :; done\nexec cp '"+dir+"'/\"${url#https://github.com/waybill-dev/waybill/releases/download/v"+version+"/}\" .\n", 0o755)
	commands := strings.NewReplacer("X.Y.Z", version, "linux_amd64", "linux_"+runtime.GOARCH).Replace(
		commandsOf(t, installPage, func(heading string) bool { return heading == fromRelease }))
	out := runScript(t, installPage, commands, t.TempDir(), "HOME="+home, "PATH="+filepath.Join(home, "bin")+":"+os.Getenv("PATH"))
	checked, said, _ := strings.Cut(out, "\n")
	if checked != archive+": OK" {
		t.Errorf("the checksum: %q", checked)
	}
	checkReleased(t, dir, said)
}

// TestInstallNames holds the names on the page to the files of a release, and to the workflow that signs them.
func TestInstallNames(t *testing.T) {
	page := readText(t, installPage)
	for _, m := range regexp.MustCompile(`\.github/workflows/([a-z.]+)@refs/tags/vX\.Y\.Z`).FindAllStringSubmatch(page, -1) {
		workflow := readText(t, filepath.Join("../../.github/workflows", m[1]))
		if !strings.Contains(workflow, "\n    tags: ") || !strings.Contains(workflow, "id-token: write") {
			t.Errorf("%s does not sign what tags release", m[1])
		}
	}
	settings := readText(t, "../../.goreleaser.yaml")
	for _, want := range []string{"'waybill_{{ .Version }}_{{ .Os }}_{{ .Arch }}'", "checksums.txt", "'${artifact}.sigstore.json'",
		"'{{ .Binary }}_{{ .Version }}_{{ .Os }}_{{ .Arch }}.cdx.json'", "owner: waybill-dev, name: homebrew-tap", "owner: waybill-dev, name: krew-index"} {
		if !strings.Contains(settings, want) {
			t.Errorf(".goreleaser.yaml has no %s, which the page tells", want)
		}
	}
	named := regexp.MustCompile(`waybill_X\.Y\.Z_([a-z]+_[a-z0-9]+)\.([a-z.]+)`).FindAllStringSubmatch(page, -1)
	for _, m := range named {
		if _, known := programStarts[m[1]]; !known || !slices.Contains([]string{"deb", "rpm", "apk", "tar.gz", "tar.gz.sigstore.json", "zip", "cdx.json"}, m[2]) {
			t.Errorf("no release has a file %s", m[0])
		}
	}
	if len(named) < 8 {
		t.Errorf("the page names only %d files", len(named))
	}
	// go install refuses a module that replaces or excludes others.
	if directive := regexp.MustCompile(`(?m)^(replace|exclude)\b.*`).FindString(readText(t, "../../go.mod")); directive != "" {
		t.Errorf("go install PACKAGE@VERSION does not work with %q in go.mod", directive)
	}
}

// TestInstallAirGapped runs the commands for a machine without access to the internet: images are built, loaded into podman, given to
// a registry, and run.
func TestInstallAirGapped(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	address := server.Listener.Addr().(*net.TCPAddr).String()
	own := address + "/platform/waybill:" + catalog.Version
	loaded := []string{own, catalog.Registry + "/waybill:" + catalog.Version, catalog.Registry + "/set-namespace:" + catalog.Version}
	t.Cleanup(func() { command(t, nil, "podman", append([]string{"rmi", "--force"}, loaded...)...) })
	images, settings := t.TempDir(), filepath.Join(t.TempDir(), "registries.conf")
	writeFile(t, settings, "[[registry]]\nlocation = \""+address+"\"\ninsecure = true\n", 0o644)
	commands := strings.NewReplacer("registry.example.com", address, "linux/amd64", hostPlatform(), "dist/images", images).Replace(
		commandsOf(t, installPage, func(heading string) bool { return heading == airGapped }))
	runScript(t, installPage, commands, "../..", "CONTAINERS_REGISTRIES_CONF="+settings, "PATH="+buildWaybill(t)+":"+os.Getenv("PATH"))

	ref, err := name.ParseReference(own)
	must(t, err)
	if _, err := remote.Image(ref); err != nil {
		t.Errorf("the registry does not have the image of the controller: %v", err)
	}
	out := command(t, nil, "podman", "run", "--rm", "--network", "none", "--pull", "never", own, "version")
	if !strings.Contains(out, catalog.Version) {
		t.Errorf("the image runs another program:\n%s", out)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\npipeline:\n  mutators:\n  - image: "+
		catalog.Registry+"/set-namespace:"+catalog.Version+"\n    configMap:\n      namespace: loaded\n", 0o644)
	writeFile(t, filepath.Join(dir, "a.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n", 0o644)
	waybill(t, "fn", "render", dir, "--runtime", "podman", "--image-pull-policy", "Never")
	if got := readText(t, filepath.Join(dir, "a.yaml")); !strings.Contains(got, "namespace: loaded") {
		t.Errorf("the loaded function did not run:\n%s", got)
	}
}
