package manager_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// localFleet is the same objects as files, and a copy of the deployments.
type localFleet struct {
	testing.TB
	namespace string
	dir       string
	files     map[string]string
	functions runner.Factory
	sets      []string // what came of them last
	variants  []reconciler.Report
}

// newLocalFleet copies the deployments as they are now.
func newLocalFleet(f *fleet) *localFleet {
	f.Helper()
	h := &localFleet{TB: f, namespace: f.namespace, dir: filepath.Join(f.TempDir(), "repo.git"), files: map[string]string{}, functions: noFunctions{}}
	if err := os.CopyFS(h.dir, os.DirFS(f.dirs["deployments"])); err != nil {
		f.Fatal(err)
	}
	return h
}

// put writes a file of one object.
func (h *localFleet) put(name, object string) { h.files[name] = object }

// forget takes a file away.
func (h *localFleet) forget(name string) { delete(h.files, name) }

// reconcile does what `waybill reconcile` does, and tells where all refs are then.
func (h *localFleet) reconcile() string {
	h.Helper()
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(h.files)) {
		texts = append(texts, strings.Replace(h.files[name], "metadata:\n", "metadata:\n  namespace: "+h.namespace+"\n", 1))
	}
	in, err := local.Read([]string{"-"}, strings.NewReader(strings.Join(texts, "---\n")))
	if err != nil {
		h.Fatal(err)
	}
	repos := in.Repositories(nil)
	h.sets = nil
	for _, rep := range in.Expand(h.Context(), repos) {
		h.sets = append(h.sets, fmt.Sprintf("%s: %v", rep.Name, rep.Err))
	}
	r := reconciler.Reconciler{Repositories: repos, Functions: h.functions, Context: in.Lister, Budgets: in}
	h.variants = nil
	for i, rep := range r.ReconcileAll(h.Context(), in.Variants, nil) {
		if in.Variants[i].DeletionTimestamp.IsZero() { // a cluster forgets the others
			h.variants = append(h.variants, rep)
		}
	}
	return gittest.Refs(h, h.dir)
}
