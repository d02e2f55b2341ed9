package manager_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// env is a cluster's namespace and two real repositories behind a web server.
type env struct {
	testing.TB
	*clustertest.Cluster
	namespace string
	dirs      map[string]string // of the repositories
	objects   map[string]string // the files of testdata/env.txtar
	log       *clustertest.Log
	patience  time.Duration // with what has to come
}

// newEnv lays out testdata/env.txtar, whose blueprint is published as shop/v1, and creates its
// Repositories and context. Options change how the deployments are served.
func newEnv(t testing.TB, served ...gittest.Option) *env {
	t.Helper()
	return newEnvIn(t, clustertest.Shared(t), served...)
}

// newEnvIn is newEnv in a given cluster.
func newEnvIn(t testing.TB, c *clustertest.Cluster, served ...gittest.Option) *env {
	t.Helper()
	testenv.Need(t, testenv.Git)
	w := &env{TB: t, Cluster: c, dirs: map[string]string{}, objects: map[string]string{}, log: &clustertest.Log{}, patience: 30 * time.Second}
	w.InstallCRDs(t, "../manifests/crds")
	w.InstallCRDs(t, "testdata/crds")
	w.namespace = w.Namespace(t)
	ar, err := txtar.ParseFile("testdata/env.txtar")
	if err != nil {
		t.Fatal(err)
	}
	blueprint := map[string]string{}
	for _, file := range ar.Files {
		if strings.HasPrefix(file.Name, "shop/") {
			blueprint[file.Name] = string(file.Data)
		} else {
			w.objects[file.Name] = string(file.Data)
		}
	}
	w.serve("blueprints")
	w.serve("deployments", served...)
	w.release(1, gittest.Files(blueprint))
	gittest.Commit(t, w.dirs["deployments"], gittest.Change{Message: "The fleet begins\n"})
	w.apply(w.objects["blueprints.yaml"], w.objects["deployments.yaml"], w.objects["lyon.yaml"], contextRole, contextBinding)
	return w
}

// serve makes a repository and puts its address into its object.
func (w *env) serve(name string, served ...gittest.Option) {
	w.Helper()
	dir := gittest.NewBare(w)
	w.dirs[name] = dir
	w.objects[name+".yaml"] = strings.Replace(w.objects[name+".yaml"], "URL", gittest.NewHTTP(w, dir, served...), 1)
}

// release commits files to the blueprints, a minute after the release before, and tags shop/v<n>.
func (w *env) release(n int, files map[string]*string) {
	w.Helper()
	dir := w.dirs["blueprints"]
	gittest.Commit(w, dir, gittest.Change{Files: files, When: gittest.Epoch.Add(time.Duration(n) * time.Minute), Tag: fmt.Sprintf("shop/v%d", n)})
}

// start runs a controller of this namespace until the test ends, or until the returned function is
// called. tune changes its options.
func (w *env) start(tune ...func(*manager.Options)) (stop func()) {
	w.Helper()
	o := manager.Options{
		Functions: noFunctions{}, Namespaces: []string{w.namespace},
		PollInterval: 300 * time.Millisecond, Fresh: time.Millisecond, Quiet: 10 * time.Millisecond, FirstRetry: 50 * time.Millisecond, LastRetry: time.Second,
		Log: logr.FromSlogHandler(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, f := range tune {
		f(&o)
	}
	cfg := w.controller()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- manager.Run(ctx, cfg, o) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			w.Errorf("the controller ended with %v", err)
		}
		if w.Failed() {
			w.Logf("the controller's log:\n%s", w.log)
		}
	})
	w.Cleanup(stop)
	return stop
}

// apply creates or updates objects in the namespace.
func (w *env) apply(objects ...string) {
	w.Helper()
	w.kubectl(strings.Join(objects, "\n---\n"), "apply", "-f", "-")
}

func (w *env) kubectl(input string, args ...string) string {
	w.Helper()
	out, err := w.Kubectl(w, w.Admin(), input, append(args, "-n", w.namespace)...)
	if err != nil {
		w.Fatal(err)
	}
	return out
}

// get is a part of an object, as JSONPath names it.
func (w *env) get(object, path string) string {
	w.Helper()
	return w.kubectl("", "get", object, "--ignore-not-found", "-o", "jsonpath="+path)
}

// ready is an object's Ready condition, as status, reason and message.
func (w *env) ready(object string) string {
	w.Helper()
	return w.get(object, `{range .status.conditions[?(@.type=="Ready")]}{.status} {.reason}: {.message}{end}`)
}

// eventually waits until something is as it should be.
func (w *env) eventually(reason, want string, get func() string) {
	w.Helper()
	got := get()
	for deadline := time.Now().Add(w.patience); got != want && time.Now().Before(deadline); got = get() {
		time.Sleep(50 * time.Millisecond)
	}
	if got != want {
		w.Fatalf("%s: want\n%s\ngot\n%s\nlog:\n%s", reason, want, got, w.log)
	}
}

// replaced is a file of objects with one text in place of another.
func replaced(w *env, name, old, now string) string {
	w.Helper()
	if !strings.Contains(w.objects[name], old) {
		w.Fatalf("there is no %q in %s", old, name)
	}
	return strings.ReplaceAll(w.objects[name], old, now)
}

// refs are the names of the branches and tags of the deployments, main aside.
func (w *env) refs() string {
	w.Helper()
	return gittest.Git(w, w.dirs["deployments"], "for-each-ref", "--format=%(refname:lstrip=1)", "refs/tags", "refs/heads/drafts", "refs/heads/proposed", "refs/heads/deletionProposed")
}

// show is a file of the deployments, "" when it is not there.
func (w *env) show(ref, file string) string {
	w.Helper()
	dir := w.dirs["deployments"]
	if gittest.Git(w, dir, "ls-tree", "--name-only", ref, file) == "" {
		return ""
	}
	return gittest.Git(w, dir, "show", ref+":"+file)
}

// store is the deployments, as a user at a command line has them.
func (w *env) store() *revision.Store {
	w.Helper()
	repo, err := gitrepo.Open(w.Context(), w.dirs["deployments"], gitrepo.Options{})
	if err != nil {
		w.Fatal(err)
	}
	store, err := revision.New(repo, revision.Config{Name: "deployments"})
	if err != nil {
		w.Fatal(err)
	}
	return store
}

// publish proposes and approves a draft.
func (w *env) publish(name string) {
	w.Helper()
	store := w.store()
	revisions, err := store.List()
	if err != nil {
		w.Fatal(err)
	}
	for _, rev := range revisions {
		if rev.Name != name {
			continue
		}
		if rev, err = store.Propose(w.Context(), rev); err == nil {
			_, err = store.Approve(w.Context(), rev, revision.Stamp{})
		}
		if err != nil {
			w.Fatal(err)
		}
		return
	}
	w.Fatalf("there is no revision %q", name)
}

// noFunctions knows no functions.
type noFunctions struct{}

func (noFunctions) Prepare(_ context.Context, f *kptfilev1.Function) (runner.Runner, error) {
	return nil, errors.New("image " + f.Image + " is not known here")
}
