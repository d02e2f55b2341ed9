package gitrepo_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// fleet is a package with a work of 59 kB for each cluster. Works differ in eleven values; the image is in one line.
func fleet(t testing.TB, clusters int, image string) pkgtree.Tree {
	t.Helper()
	files := map[string][]byte{"Kptfile": []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n")}
	for c := range clusters {
		files[fmt.Sprintf("clusters/edge-%d/shop/manifestwork-0.yaml", c)] = work(fmt.Sprintf("edge-%d", c), image)
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// work is a ManifestWork of a hundred Deployments. One of ten has the name of its cluster.
func work(cluster, image string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: %s\n"+
		"  name: shop-git-0\nspec:\n  workload:\n    manifests:\n", cluster)
	for i := range 100 {
		value, version := "edge", "1.0"
		if i%10 == 0 {
			value = cluster
		}
		if i == 50 {
			version = image
		}
		fmt.Fprintf(&b, `    - apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: web-%d
        namespace: shop
      spec:
        replicas: 3
        selector:
          matchLabels:
            app: web-%d
        template:
          metadata:
            labels:
              app: web-%d
          spec:
            containers:
            - name: web
              image: registry.example.com/web:%s
              env:
              - name: CLUSTER
                value: %s
              ports:
              - containerPort: 8080
              resources:
                requests: {cpu: 100m, memory: 128Mi}
`, i, i, i, version, value)
	}
	return b.Bytes()
}

// pushSizes counts the bytes of pushes that reach a server.
type pushSizes struct{ last, all atomic.Int64 }

func (p *pushSizes) option(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/git-receive-pack") {
			p.last.Store(r.ContentLength)
			p.all.Add(r.ContentLength)
		}
		next.ServeHTTP(w, r)
	})
}

// pushFleet commits pkg as shop on a branch and pushes it.
func pushFleet(t testing.TB, r *gitrepo.Repo, branch string, pkg pkgtree.Tree) gitrepo.Hash {
	t.Helper()
	stage := r.Stage()
	ref, _ := r.Ref("refs/heads/" + branch)
	var parents []gitrepo.Hash
	if !ref.Commit.IsZero() {
		parents = append(parents, ref.Commit)
	}
	root, err := stage.Root(ref.Commit)
	if err != nil {
		t.Fatal(err)
	}
	if root, err = stage.ReplaceDir(root, "shop", pkg); err != nil {
		t.Fatal(err)
	}
	next := commit(t, stage, root, parents...)
	if err := stage.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/" + branch, Old: ref.Target, New: next}}); err != nil {
		t.Fatal(err)
	}
	return next
}

// TestPushOfAFleet pushes a fleet, and then one changed line in each work. A push is small, git finds nothing wrong with what it
// makes of it, and the files are what was pushed.
func TestPushOfAFleet(t *testing.T) {
	const clusters = 300
	for name, config := range map[string]string{"index-pack": "receive.unpackLimit=1", "unpack-objects": "receive.unpackLimit=100000"} {
		t.Run(name, func(t *testing.T) {
			dir := gittest.NewBare(t)
			gittest.Config(t, dir, config)
			gittest.Config(t, dir, "receive.fsckObjects=true")
			var sizes pushSizes
			repo := open(t, gittest.NewHTTP(t, dir, sizes.option))
			pushFleet(t, repo, "main", fleet(t, clusters, "1.1"))
			first := sizes.last.Load()
			next := pushFleet(t, repo, "main", fleet(t, clusters, "1.2"))
			if got, most := sizes.last.Load(), int64(230*clusters); first > most || got > most {
				t.Errorf("the first push takes %d bytes, one line %d, of %d works of 59 kB", first, got, clusters)
			}
			gittest.Fsck(t, dir)
			got, err := open(t, "file://"+dir).Package(next, "shop")
			if err != nil || !got.Equal(fleet(t, clusters, "1.2")) {
				t.Errorf("what was pushed differs: %v", err)
			}
		})
	}
}

// BenchmarkPushOfAFleet pushes one changed line in each of 10,000 works over HTTP, beside git fast-import of the same, and beside git
// add, commit and push of the same: how many times as long these take. WAYBILL_CLUSTERS sets another number.
func BenchmarkPushOfAFleet(b *testing.B) {
	clusters := 10_000
	if n, err := strconv.Atoi(os.Getenv("WAYBILL_CLUSTERS")); err == nil {
		clusters = n
	}
	versions := [2]pkgtree.Tree{fleet(b, clusters, "1.1"), fleet(b, clusters, "1.2")}
	fresh := func(b *testing.B) (dir string, size int64) {
		dir = gittest.NewBare(b)
		pushFleet(b, open(b, "file://"+dir), "main", versions[0])
		return dir, diskSize(b, dir)
	}
	var ours time.Duration // of one push
	ratio := func(b *testing.B, name string) {
		if ours > 0 {
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(ours), "×"+name)
		}
	}
	b.Run("waybill", func(b *testing.B) {
		defer func() { ours = b.Elapsed() / time.Duration(b.N) }()
		for b.Loop() {
			b.StopTimer()
			dir, before := fresh(b)
			var sizes pushSizes
			repo := open(b, gittest.NewHTTP(b, dir, sizes.option))
			b.StartTimer()
			pushFleet(b, repo, "main", fleetCopy(b, versions[1]))
			b.StopTimer()
			b.ReportMetric(float64(sizes.last.Load()), "pushed-B")
			b.ReportMetric(float64(diskSize(b, dir)-before), "stored-B")
			gittest.Fsck(b, dir)
			b.StartTimer()
		}
	})
	b.Run("fast-import", func(b *testing.B) {
		defer func() { ratio(b, "fast-import") }()
		for b.Loop() {
			b.StopTimer()
			dir, before := fresh(b)
			in := fastImport(versions[1])
			b.StartTimer()
			cmd := exec.Command("git", "fast-import", "--quiet")
			cmd.Dir, cmd.Env, cmd.Stdin = dir, gittest.Env(), bytes.NewReader(in)
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			b.StopTimer()
			b.ReportMetric(float64(diskSize(b, dir)-before), "stored-B")
			b.StartTimer()
		}
	})
	b.Run("add-commit-push", func(b *testing.B) {
		defer func() { ratio(b, "git-push") }()
		for b.Loop() {
			b.StopTimer()
			dir, before := fresh(b)
			var sizes pushSizes
			url := gittest.NewHTTP(b, dir, sizes.option)
			tree := filepath.Join(b.TempDir(), "work")
			gittest.Git(b, dir, "clone", "--quiet", url, tree)
			b.StartTimer()
			for p, blob := range versions[1].All() {
				if err := os.WriteFile(filepath.Join(tree, "shop", p), blob.Data(), 0o666); err != nil {
					b.Fatal(err)
				}
			}
			gittest.Git(b, tree, "add", ".")
			gittest.Git(b, tree, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "change")
			gittest.Git(b, tree, "-c", "http.postBuffer=500000000", "push", "--quiet", "origin", "main")
			b.StopTimer()
			b.ReportMetric(float64(sizes.last.Load()), "pushed-B")
			b.ReportMetric(float64(diskSize(b, dir)-before), "stored-B")
			b.StartTimer()
		}
	})
}

// fleetCopy is a tree whose files were not hashed yet.
func fleetCopy(t testing.TB, tree pkgtree.Tree) pkgtree.Tree {
	files := map[string][]byte{}
	for p, blob := range tree.All() {
		files[p] = blob.Data()
	}
	out, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// diskSize is what the packs and objects of a repository take on disk, in bytes.
func diskSize(t testing.TB, dir string) (bytes int64) {
	t.Helper()
	for line := range strings.Lines(gittest.Git(t, dir, "count-objects", "-v")) {
		name, n, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if name == "size" || name == "size-pack" {
			kib, err := strconv.ParseInt(n, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			bytes += kib << 10
		}
	}
	return bytes
}

// fastImport is a stream for git fast-import that commits the package on main.
func fastImport(tree pkgtree.Tree) []byte {
	var in bytes.Buffer
	in.WriteString("commit refs/heads/main\ncommitter Seed <seed@example.com> 1767225600 +0000\ndata 7\nchange\n\nfrom refs/heads/main^0\n")
	for p, blob := range tree.All() {
		fmt.Fprintf(&in, "M 100644 inline shop/%s\ndata %d\n", p, len(blob.Data()))
		in.Write(blob.Data())
		in.WriteByte('\n')
	}
	return in.Bytes()
}

// TestPushOfOneLine changes one line of a file that resembles no other: the push has a delta of the version that the server has. It
// moves the ref forward, then to a commit without parents, then to a new ref; a commit that the server no longer has is no base.
func TestPushOfOneLine(t *testing.T) {
	dir := gittest.NewBare(t)
	gittest.Config(t, dir, "receive.fsckObjects=true")
	var sizes pushSizes
	repo := open(t, gittest.NewHTTP(t, dir, sizes.option))
	version := func(n int) pkgtree.Tree {
		return tree(t, map[string]string{"Kptfile": fmt.Sprintf("# %d\n", n), "work.yaml": string(work("edge", fmt.Sprint(n)))})
	}
	orphan := func(branch string, n int) {
		stage := repo.Stage()
		root, err := stage.ReplaceDir(gitrepo.Hash{}, "shop", version(n))
		if err != nil {
			t.Fatal(err)
		}
		old, _ := repo.Ref("refs/heads/" + branch)
		update := gitrepo.RefUpdate{Name: "refs/heads/" + branch, Old: old.Target, New: commit(t, stage, root)}
		if err := stage.Push(t.Context(), []gitrepo.RefUpdate{update}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(what string, least, most int64) {
		t.Helper()
		if got := sizes.last.Load(); got < least || got > most {
			t.Errorf("%s: %d bytes, want %d to %d", what, got, least, most)
		}
		gittest.Fsck(t, dir)
	}
	pushFleet(t, repo, "main", version(1))
	check("the first version", 1500, 6000)
	pushFleet(t, repo, "main", version(2))
	check("the next one", 0, 1000)
	orphan("main", 3)
	check("a ref that moves to a commit without parents", 0, 1000)
	gittest.Git(t, dir, "update-ref", "-d", "refs/heads/main")
	gittest.Git(t, dir, "gc", "--quiet", "--prune=now")
	orphan("other", 4)
	check("of a commit that the server no longer has, nothing is a base", 1500, 6000)
	got, err := open(t, "file://"+dir).Package(hash(t, gittest.Git(t, dir, "rev-parse", "other")), "shop")
	if err != nil || !got.Equal(version(4)) {
		t.Errorf("what was pushed differs: %v", err)
	}
}
