package manifests_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// live runs a controller, as its ServiceAccount, through the life of a set: drafts with injected
// configuration, a change, and less. It returns the rights that the controller used.
func (w *installation) live(tune func(*manager.Options)) map[right]bool {
	w.Helper()
	testenv.Need(w, testenv.Git)
	deployments := w.lay()
	log := &requests{used: map[right]bool{}}
	metrics := w.run(log, tune)
	w.eventually("two variants are drafted, each with what it is injected", "True True ", func() string {
		return w.kubectl("", "get", "packagevariants", "-n", w.namespace, "-o", `jsonpath={range .items[*].status.conditions[?(@.type=="ConfigInjected")]}{.status} {end}`)
	})
	w.eventually("in Git", "eu us", func() string { return drafts(w, deployments) })
	w.apply("changed.yaml")
	w.eventually("a set that changes changes its variants", "gold gold ", func() string {
		return w.kubectl("", "get", "packagevariants", "-n", w.namespace, "-o", "jsonpath={range .items[*]}{.spec.labels.tier} {end}")
	})
	w.apply("less.yaml")
	w.eventually("what it no longer wants is deleted", "eu", func() string { return drafts(w, deployments) })
	w.scrape(metrics)
	w.eventually("and all that was to be told has been", "", func() string { return w.untold(log) })
	log.mu.Lock()
	defer log.mu.Unlock()
	if len(log.refused) > 0 {
		w.Errorf("the controller lacks rights: %q", log.refused)
	}
	return maps.Clone(log.used)
}

// untold names what is written beside the work, and may take a moment longer.
func (w *installation) untold(log *requests) string {
	log.mu.Lock()
	defer log.mu.Unlock()
	for _, last := range []right{{"create", "events.k8s.io/events"}, {"patch", own + "/changebudgets/status"}, {"patch", porch + "/packagevariantsets/status"}} {
		if !log.used[last] {
			return last.Verb + " " + last.Resource
		}
	}
	return ""
}

// lay serves the repositories and creates the objects of testdata/life.txtar, but for the changes. It
// returns the folder of the deployments.
func (w *installation) lay() (deployments string) {
	w.Helper()
	blueprints := gittest.NewBare(w)
	deployments = gittest.NewBare(w)
	blueprint := map[string]string{}
	for name, text := range w.files() {
		if strings.HasPrefix(name, "shop/") {
			blueprint[name] = text
		}
	}
	gittest.Commit(w, blueprints, gittest.Change{Files: gittest.Files(blueprint), Tag: "shop/v1"})
	gittest.Commit(w, deployments, gittest.Change{Message: "The fleet begins\n"})
	at := strings.NewReplacer("BLUEPRINTS", gittest.NewHTTP(w, blueprints),
		"DEPLOYMENTS", gittest.NewHTTP(w, deployments, gittest.BasicAuth("porch", "hush-0815")))
	w.kubectl(at.Replace(w.files()["objects.yaml"]), "apply", "-n", w.namespace, "-f", "-")
	w.kubectl(w.files()["context.yaml"], "apply", "-f", "-")
	w.aggregate("rbac.waybill.dev/aggregate-to-controller", "waybill-context")
	w.apply("set.yaml")
	return deployments
}

func (w *installation) files() map[string]string {
	w.Helper()
	return w.filesOf("testdata/life.txtar")
}

func (w *installation) filesOf(archive string) map[string]string {
	w.Helper()
	ar, err := txtar.ParseFile(archive)
	if err != nil {
		w.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range ar.Files {
		out[f.Name] = string(f.Data)
	}
	return out
}

func (w *installation) apply(file string) {
	w.Helper()
	w.kubectl(w.files()[file], "apply", "-n", w.namespace, "-f", "-")
}

// run runs the controller until the test ends, and returns the address of its metrics.
func (w *installation) run(log *requests, tune func(*manager.Options)) (metrics string) {
	w.Helper()
	said := &journal{}
	o := manager.Options{
		Functions: noFunctions{}, MetricsAddress: freeAddress(w),
		PollInterval: 300 * time.Millisecond, Fresh: time.Millisecond, Quiet: 10 * time.Millisecond, FirstRetry: 50 * time.Millisecond, LastRetry: time.Second,
		Log: funcr.New(said.add, funcr.Options{}),
	}
	tune(&o)
	cfg := w.ServiceAccount(w, system, account)
	cfg.Wrap(log.wrap)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- manager.Run(ctx, cfg, o) }()
	w.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			w.Errorf("the controller ended with %v", err)
		}
		if w.Failed() {
			w.Logf("the controller's log:\n%s", strings.Join(said.lines, "\n"))
		}
	})
	return o.MetricsAddress
}

// eventually waits until something is as it should be.
func (w *installation) eventually(reason, want string, get func() string) {
	w.Helper()
	got := get()
	for deadline := time.Now().Add(40 * time.Second); got != want && time.Now().Before(deadline); got = get() {
		time.Sleep(100 * time.Millisecond)
	}
	if got != want {
		w.Fatalf("%s: want %q, got %q", reason, want, got)
	}
}

// drafts are the regions that have a draft.
func drafts(t testing.TB, dir string) string {
	t.Helper()
	var regions []string
	for ref := range strings.Lines(gittest.Git(t, dir, "for-each-ref", "--format=%(refname:lstrip=3)", "refs/heads/drafts")) {
		region, _, _ := strings.Cut(ref, "/")
		regions = append(regions, region)
	}
	return strings.Join(regions, " ")
}

// journal is a log that is read when all is over.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) add(prefix, args string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, prefix+" "+args)
}

// noFunctions knows no functions.
type noFunctions struct{}

func (noFunctions) Prepare(_ context.Context, f *kptfilev1.Function) (runner.Runner, error) {
	return nil, errors.New("image " + f.Image + " is not known here")
}
