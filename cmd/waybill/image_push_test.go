package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	imagecmd "github.com/waybill-dev/waybill/cmd/waybill/internal/image"
	"github.com/waybill-dev/waybill/pkg/image"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

const registryUser, registryPassword = "porter", "s3cr3t-Pass"

// newImageRegistry starts a registry that wants a password, which docker's configuration has. It returns its name, and a count of
// the requests that changed something.
func newImageRegistry(t *testing.T) (string, *atomic.Int32) {
	t.Helper()
	inner, writes := registry.New(registry.Logger(log.New(io.Discard, "", 0))), &atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if u, p, _ := r.BasicAuth(); u != registryUser || p != registryPassword {
			w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			writes.Add(1)
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), fmt.Sprintf(`{"auths": {%q: {"auth": %q}}}`, host,
		base64.StdEncoding.EncodeToString([]byte(registryUser+":"+registryPassword))), 0o600)
	t.Setenv("DOCKER_CONFIG", dir)
	return host, writes
}

// storeImages writes an OCI layout with images of nothing into dist/layout of a new folder, and works there.
func storeImages(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		idx, err := random.Index(100, 1, 2)
		must(t, err)
		must(t, image.WriteLayout("dist/layout", image.Registry+"/"+name+":v2", idx))
	}
}

// pushedRows runs push, and returns the list that it prints.
func pushedRows(t *testing.T, args ...string) []imagecmd.Row {
	t.Helper()
	out, messages := mustRunImage(t, append([]string{"push", "-o", "yaml"}, args...)...)
	if messages != "" {
		t.Errorf("there is no terminal for progress: %s", messages)
	}
	var list cli.List[imagecmd.Row]
	if err := yaml.UnmarshalStrict([]byte(out), &list); err != nil || list.Kind != "ImageList" {
		t.Fatalf("%v: %s", err, out)
	}
	return list.Items
}

func TestImagePush(t *testing.T) {
	host, writes := newImageRegistry(t)
	storeImages(t, "bundle", "waybill")
	for _, step := range []struct {
		reason string
		args   []string
		want   []string
		writes bool
	}{
		{"a dry run pushes nothing", []string{"--dry-run"}, []string{"bundle planned", "waybill planned"}, false},
		{"one alone", []string{"waybill"}, []string{"waybill pushed"}, true},
		{"the rest", nil, []string{"bundle pushed", "waybill unchanged"}, true},
		{"a second push changes nothing", nil, []string{"bundle unchanged", "waybill unchanged"}, false},
		{"and a dry run says so", []string{"--dry-run"}, []string{"bundle unchanged", "waybill unchanged"}, false},
	} {
		before := writes.Load()
		var got []string
		for _, row := range pushedRows(t, append(step.args, "--to", host+"/fleet")...) {
			got = append(got, row.Name+" "+row.State)
			if row.Image != host+"/fleet/"+row.Name+":v2" || !digest.MatchString(row.Digest) {
				t.Errorf("%s: %+v", step.reason, row)
			}
		}
		if diff := cmp.Diff(step.want, got); diff != "" || (writes.Load() > before) != step.writes {
			t.Errorf("%s: %d writes (-want +got):\n%s", step.reason, writes.Load()-before, diff)
		}
	}
	out, _ := mustRunImage(t, "push", "--to", host+"/fleet", "bundle")
	want := "IMAGE " + host + "/fleet/bundle:v2 DIGEST sha256:… STATE unchanged"
	if words := strings.Fields(digest.ReplaceAllString(out, "sha256:…")); len(words) != 6 || !slices.Equal(words[:3], []string{"IMAGE", "DIGEST", "STATE"}) {
		t.Errorf("want a table of %q, got:\n%s", want, out)
	}
}

func TestImagePushRefuses(t *testing.T) {
	host, writes := newImageRegistry(t)
	for name, tc := range map[string]struct {
		reason string
		args   []string
		change func(t *testing.T)
		code   int
		want   string
	}{
		"name":     {"a typo must not push everything", []string{"bundel"}, nil, exitUsage, `no image in dist/layout is called "bundel": want one of bundle`},
		"to":       {"found before anything is sent", []string{"--to", "https://" + host}, nil, exitUsage, `--to "https://` + host + `": want REGISTRY or REGISTRY/PATH, without a scheme`},
		"format":   {"found before anything is sent", []string{"-o", "xml"}, nil, exitUsage, `--output "xml": want table, json or yaml`},
		"layout":   {"a wrong folder is no empty success", []string{"--layout", "none"}, nil, exitFailed, `OCI layout "none": not an OCI layout: open none/oci-layout: `},
		"password": {"who refuses, and not with what", nil, func(t *testing.T) { t.Setenv("DOCKER_CONFIG", t.TempDir()) }, exitFailed, image.Registry + "/bundle:v2: HEAD http://" + host},
		"twice":    {"the second would take the tag from the first", nil, storeOther, exitFailed, "ghcr.io/other/bundle:v2 and " + image.Registry + "/bundle:v2 both become " + host + "/bundle:v2"},
		"damaged":  {"the registry would refuse it half way", nil, damageLayout, exitFailed, `OCI layout "dist/layout": ` + image.Registry + "/bundle:v2: blob sha256:"},
	} {
		t.Run(name, func(t *testing.T) {
			storeImages(t, "bundle")
			args := append([]string{"push"}, tc.args...)
			if !slices.Contains(args, "--to") {
				args = append(args, "--to", host)
			}
			if tc.change != nil {
				tc.change(t)
			}
			out, messages, code := runImage(t, args...)
			said, _ := strings.CutPrefix(messages, "error: ")
			if code != tc.code || !strings.HasPrefix(said, tc.want) || strings.Count(messages, "\n") != 1 || out != "" || strings.Contains(messages, registryPassword) {
				t.Errorf("%s\nwant exit code %d, one line %q and no output\ngot exit code %d, %q and %q", tc.reason, tc.code, tc.want, code, messages, out)
			}
		})
	}
	if n := writes.Load(); n > 0 {
		t.Errorf("refused, and %d writes", n)
	}
}

// storeOther adds another image whose name ends alike.
func storeOther(t *testing.T) {
	t.Helper()
	idx, err := random.Index(100, 1, 2)
	must(t, err)
	must(t, image.WriteLayout("dist/layout", "ghcr.io/other/bundle:v2", idx))
}

// damageLayout changes the largest blob, which is of a layer or a configuration.
func damageLayout(t *testing.T) {
	t.Helper()
	blobs, err := filepath.Glob("dist/layout/blobs/sha256/*")
	must(t, err)
	size := func(path string) int64 {
		info, err := os.Stat(path)
		must(t, err)
		return info.Size()
	}
	largest := slices.MaxFunc(blobs, func(a, b string) int { return int(size(a) - size(b)) })
	writeFile(t, largest, "damaged", 0o600)
}

// TestImagePushForPodman goes the whole way of an image: it is built for two platforms and pushed, and podman pulls it from the registry,
// for either platform and by digest, and runs it.
func TestImagePushForPodman(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	host, _ := newImageRegistry(t)
	imageCheckout(t)
	mustRunImage(t, "build", "bundle", "-o", "dist/layout", "--tag", "v2")
	rows := pushedRows(t, "--to", host+"/fleet")
	if len(rows) != 1 || len(rows[0].Platforms) != 2 {
		t.Fatalf("want one image of two platforms, got %+v", rows)
	}
	podman := func(stdin string, args ...string) string {
		t.Helper()
		cmd := exec.Command("podman", args...) // #nosec G204 -- a test's own arguments
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("podman %s: %v: %s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	pull := []string{"pull", "-q", "--tls-verify=false", "--creds", registryUser + ":" + registryPassword}
	byDigest := host + "/fleet/bundle@" + rows[0].Digest
	t.Cleanup(func() { podman("", "rmi", "-f", byDigest) })
	for _, p := range rows[0].Platforms {
		_, arch, _ := strings.Cut(p.Platform, "/")
		id := strings.TrimSpace(podman("", append(pull, "--arch", arch, host+"/fleet/bundle:v2")...))
		t.Cleanup(func() { podman("", "rmi", "-f", "-i", id) })
		if got := strings.TrimSpace(podman("", "image", "inspect", "--format", "{{.Os}}/{{.Architecture}} {{.Digest}}", id)); !strings.HasPrefix(got, p.Platform+" ") {
			t.Errorf("podman pulled %s for %s", got, p.Platform)
		}
	}
	podman("", append(pull, byDigest)...)
	if out := podman("items: []\n", "run", "--rm", "-i", "--network", "none", "--user", "nobody", "--pull", "never", "--read-only", byDigest); out != "items: []\n" {
		t.Errorf("want the input back, got %q", out)
	}
}
