package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// cacheServer is an HTTP cache in memory that notes what it is asked.
type cacheServer struct {
	url     string
	mu      sync.Mutex
	entries map[string][]byte
	gets    int
	broken  bool
}

func startCache(t testing.TB) *cacheServer {
	s := &cacheServer{entries: map[string][]byte{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL + "/renders"
	return s
}

func (s *cacheServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry, ok := s.entries[r.URL.Path]
	switch {
	case s.broken:
		http.Error(w, "broken", http.StatusInternalServerError)
	case r.Method == http.MethodPut:
		s.entries[r.URL.Path], _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusCreated)
	default:
		if s.gets++; !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(entry)
	}
}

// contents is everything that the server has, decompressed.
func (s *cacheServer) contents(t *testing.T) string {
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var all strings.Builder
	for path, entry := range s.entries {
		start := bytes.Index(entry, []byte{0x28, 0xb5, 0x2f, 0xfd}) // of zstd
		data, err := d.DecodeAll(entry[start:], nil)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(path)
		all.Write(data)
	}
	return all.String()
}

// machine runs the command on a machine whose own cache is empty.
func machine(t *testing.T, args ...string) cliRun {
	t.Helper()
	t.Setenv(cli.CacheDirVariable, t.TempDir())
	return runCLI(t, args...)
}

// renderOn renders files on a machine of its own, and returns what the command said and the files afterwards.
func renderOn(t *testing.T, tree pkgtree.Tree, flags ...string) (cliRun, pkgtree.Tree) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "p")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := pkgtree.WriteDir(dir, pkgtree.Tree{}, tree); err != nil {
		t.Fatal(err)
	}
	r := machine(t, append([]string{"fn", "render", dir}, flags...)...)
	if r.code != exitDone {
		t.Fatalf("%+v", r)
	}
	return r, readTree(t, dir)
}

// TestSharedCache renders on four machines: one writes, one that reads gets the same bytes without running a function, one has a cache that is
// broken, and one has no key to read what was signed.
func TestSharedCache(t *testing.T) {
	tree, cache := labelled(t, 3), startCache(t)
	plain, want := renderOn(t, tree, "--no-cache")
	ran := took.ReplaceAllString(plain.stderr, "")
	first, got := renderOn(t, tree, "--cache", cache.url, "--cache-write")
	sameTree(t, want, got)
	if took.ReplaceAllString(first.stderr, "") != ran || len(cache.entries) != 1 {
		t.Errorf("the machine that writes: %d entries, %s", len(cache.entries), first.stderr)
	}
	t.Setenv(cli.CacheVariable, cache.url)
	second, got := renderOn(t, tree)
	sameTree(t, want, got)
	if took.ReplaceAllString(second.stderr, "") != strings.ReplaceAll(ran, "(in-process)", "(cache)") {
		t.Errorf("the machine that reads: %s", second.stderr)
	}
	cache.broken = true
	warning := "warning: shared cache " + cache.url + ": GET: 500 Internal Server Error; it is not asked for more\n"
	third, got := renderOn(t, tree, "--cache-write")
	sameTree(t, want, got)
	if !strings.HasSuffix(third.stderr, warning[:len(warning)-1]+"; shared cache "+cache.url+": PUT: 500 Internal Server Error; nothing more is stored\n") {
		t.Errorf("with a broken cache: %s", third.stderr)
	}
	cache.broken = false
	for path, entry := range cache.entries { // an entry that is right, at the place of another
		delete(cache.entries, path)
		other := labelled(t, 2)
		renderOn(t, other, "--cache-write")
		for at := range cache.entries {
			cache.entries[at] = entry
		}
		fourth, _ := renderOn(t, other)
		if !strings.Contains(fourth.stderr, "is damaged, or belongs to another key; it is not used") || strings.Contains(fourth.stderr, "(cache)") {
			t.Errorf("with a poisoned cache: %s", fourth.stderr)
		}
		break
	}
}

// TestSharedCacheHoldsNoSecret renders packages with a Secret, and with the value of one in a place where nothing says so: the first leaves
// nothing at the server, not even its key.
func TestSharedCacheHoldsNoSecret(t *testing.T) {
	cache := startCache(t)
	secret := "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: hunter2}\n"
	for name, file := range map[string]string{
		"secret.yaml":  secret,
		"list.yaml":    "apiVersion: v1\nkind: List\nmetadata: {name: l}\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {password: hunter2}}\n",
		"hidden.yaml":  strings.Replace(secret, "kind: Secret", `kind: "\x53ecret"`, 1),
		"ignored.txt":  secret,
		"in-text.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: |\n    kind: Secret\n    password: hunter2\n",
	} {
		files := labelledFiles(t, 3)
		files[name] = []byte(file)
		tree, err := pkgtree.New(files)
		if err != nil {
			t.Fatal(err)
		}
		renderOn(t, tree, "--cache", cache.url, "--cache-write")
		if all := cache.contents(t); strings.Contains(all, "hunter2") || strings.Contains(all, "Secret") {
			t.Errorf("%s: the server has a Secret:\n%s", name, all)
		}
		if name != "hidden.yaml" && name != "ignored.txt" && cache.gets > 0 {
			t.Errorf("%s: the server was asked for the package", name)
		}
		cache.gets = 0
	}
	made := map[string][]byte{
		"Kptfile": []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n  - image: starlark:v0.4\n    configPath: run.yaml\n"),
		"run.yaml": []byte("apiVersion: fn.kpt.dev/v1alpha1\nkind: StarlarkRun\nmetadata: {name: run}\nsource: |\n  ctx.resource_list['items'].append({'apiVersion': 'v1', " +
			"'kind': 'Sec' + 'ret', 'metadata': {'name': 's'}, 'stringData': {'password': 'hunt' + 'er2'}})\n"),
	}
	tree, err := pkgtree.New(made)
	if err != nil {
		t.Fatal(err)
	}
	if _, out := renderOn(t, tree, "--cache", cache.url, "--cache-write"); len(out.Paths()) != 3 || strings.Contains(cache.contents(t), "hunter2") {
		t.Errorf("a function made a Secret: the package has %q, and the server %s", out.Paths(), cache.contents(t))
	}
	renderOn(t, labelled(t, 3), "--cache", cache.url, "--cache-write")
	if len(cache.entries) == 0 || !strings.Contains(cache.contents(t), "app-2.yaml") {
		t.Error("a package without a Secret is not there: this test proves nothing")
	}
}

// labelledFiles are the files of labelled.
func labelledFiles(t testing.TB, n int) map[string][]byte {
	files := map[string][]byte{}
	for p, b := range labelled(t, n).All() {
		files[p] = b.Data()
	}
	return files
}

// TestSharedCachePreview previews a fleet of packages on two machines: the second one asks for packs, and no package by itself, and a
// preview that fails because something changes has stored what it rendered all the same. A third one finds only packs that are damaged.
func TestSharedCachePreview(t *testing.T) {
	cache := startCache(t)
	before, after := t.TempDir(), t.TempDir()
	const packages = 20
	for i := range packages {
		for dir, value := range map[string]string{before: "a", after: map[bool]string{true: "b", false: "a"}[i == 0]} {
			at := filepath.Join(dir, "clusters", fmt.Sprintf("p%d", i))
			writeFile(t, filepath.Join(at, "Kptfile"), strings.Replace(rpkgKptfile, "name: ", fmt.Sprintf("name: p%d-", i), 1)+
				"pipeline:\n  mutators:\n  - image: set-labels:v0.2\n    configMap: {tier: front}\n", 0o644)
			writeFile(t, filepath.Join(at, "cm.yaml"), plainMap("cm", value), 0o644)
		}
	}
	preview := []string{"fleet", "preview", before, after, "--exit-code", "--cache", cache.url}
	first := machine(t, append(preview, "--cache-write")...)
	if packs := len(cache.entries) - packages - 1; packs < 1 || packs > 8 {
		t.Errorf("%d entries are stored: %+v", len(cache.entries), first)
	}
	cache.gets = 0
	second := machine(t, preview...)
	if first.code != exitFailed || cache.gets > 12 || second.stdout != first.stdout || second.code != first.code {
		t.Errorf("%d requests, %+v; the first machine: %+v", cache.gets, second, first)
	}
	gets := cache.gets
	if report := machine(t, "fleet", "report", after, "--graph", "mermaid", "--cache", cache.url); report.code != exitDone || cache.gets > 2*gets {
		t.Errorf("%d requests after a report: %+v", cache.gets, report)
	}
	for path := range cache.entries {
		cache.entries[path] = cache.entries[path][:60]
	}
	third := machine(t, preview...)
	if third.stdout != first.stdout || strings.Count(third.stderr, "it is not used") != 1 || third.code != first.code {
		t.Errorf("with damaged packs: %+v", third)
	}
}

// TestSharedCacheUsage has flags that name no cache, or do not fit together.
func TestSharedCacheUsage(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "Kptfile"), rpkgKptfile, 0o644)
	for says, flags := range map[string][]string{
		"--cache-write and --cache-key are for --cache, which names no cache": {"--cache-write"},
		"--cache: URL \"ftp://cache.example.com\": want https://HOST/PATH":    {"--cache", "ftp://cache.example.com"},
		"--cache: the URL has a user or password: credentials come":           {"--cache", "https://me:s3cret@cache.example.com"},
		"--cache: key of the cache \"/nowhere\": open /nowhere: no such file": {"--cache", "https://cache.example.com", "--cache-key", "/nowhere"},
	} {
		r := machine(t, append([]string{"fn", "render", dir}, flags...)...)
		if r.code != exitUsage || !strings.Contains(r.stderr, says) || strings.Contains(r.stderr, "s3cret") {
			t.Errorf("want %q, got %+v", says, r)
		}
	}
}

// TestCachePage runs the commands of the page, each on a machine of its own: the cache gets what a key signed, and a reader with the public key
// takes it.
func TestCachePage(t *testing.T) {
	testenv.Need(t, testenv.Git)
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("SKIPPED: this check needs a working openssl: not found")
	}
	page, from, path := absolute(t, "../../docs/cache.md"), absolute(t, blueprint), "PATH="+buildWaybill(t)+":"+os.Getenv("PATH")
	t.Chdir(t.TempDir())
	changedPackage(t, from, "shop")
	cache := startCache(t)
	put := strings.NewReplacer("https://cache.example.com", strings.TrimSuffix(cache.url, "/renders"),
		"waybill fleet preview", "WAYBILL_CACHE_DIR=$(mktemp -d) waybill fleet preview")
	out := runPage(t, page, ".", put, append(gitUser(t), path, "TMPDIR="+t.TempDir())...)
	if strings.Count(out, " of 6 clusters change") != 3 {
		t.Errorf("not every preview shows the change:\n%s", out)
	}
	if len(cache.entries) != 2 || cache.gets != 6 {
		t.Errorf("%d entries after %d requests: want both sides of the preview, and three previews", len(cache.entries), cache.gets)
	}
	for name, entry := range cache.entries {
		if !strings.HasPrefix(name, "/signed/") || !bytes.HasPrefix(entry, []byte("waybill shared entry 1\ns")) {
			t.Errorf("entry %s is not signed: %.30q", name, entry)
		}
	}
}

// TestCacheUnderOtherName renders a copy of a package in a folder with another name: the cache answers, and the messages have the new name.
func TestCacheUnderOtherName(t *testing.T) {
	t.Setenv(cli.CacheDirVariable, t.TempDir())
	dir := t.TempDir()
	tree := labelled(t, 2)
	said := map[string]string{}
	for _, name := range []string{"web", "web2"} {
		at := filepath.Join(dir, name)
		must(t, os.Mkdir(at, 0o755))
		must(t, pkgtree.WriteDir(at, pkgtree.Tree{}, tree))
		said[name] = took.ReplaceAllString(runCLI(t, "fn", "render", at).stderr, "")
	}
	sameTree(t, readTree(t, filepath.Join(dir, "web")), readTree(t, filepath.Join(dir, "web2")))
	if strings.Contains(said["web"], "(cache)") || !strings.Contains(said["web"], "\"web\"") {
		t.Errorf("the first one: %s", said["web"])
	}
	if want := strings.NewReplacer("(in-process)", "(cache)", "\"web\"", "\"web2\"").Replace(said["web"]); said["web2"] != want {
		t.Errorf("got %s\nwant %s", said["web2"], want)
	}
}
