package manager_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// rival writes to each PackageVariant just before the controller does, so that the API server answers
// the controller with "409 Conflict".
type rival struct {
	*fleet
	mu        sync.Mutex
	tries     map[string]int // by what the controller was about to do
	conflicts map[string]int // by method and last part of the path
}

// most is how often one write of the controller is thwarted.
const most = 2

func (r *rival) before(req *http.Request) {
	name, part, ours := variantOf(req)
	if !ours {
		return
	}
	r.mu.Lock()
	what := req.Method + " " + name + part
	r.tries[what]++
	n := r.tries[what]
	r.mu.Unlock()
	if n > most {
		return
	}
	pv := &porchconfig.PackageVariant{}
	pv.Namespace, pv.Name = r.namespace, name
	mark := fmt.Sprintf(`{"metadata":{"annotations":{"rival/%s":"%d"}}}`, strings.ToLower(req.Method+part), n)
	if err := r.admin.Patch(context.Background(), pv, client.RawPatch("application/merge-patch+json", []byte(mark))); err != nil {
		r.Error(err)
	}
}

func (r *rival) after(answer *http.Response) {
	if _, part, ours := variantOf(answer.Request); ours && answer.StatusCode == http.StatusConflict {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.conflicts[answer.Request.Method+" "+part]++
	}
}

// meets wants conflicts at these writes since it was last called.
func (r *rival) meets(when string, writes ...string) {
	r.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, write := range writes {
		if r.conflicts[write] == 0 {
			r.Errorf("%s: want conflicts at %q, got %v", when, write, r.conflicts)
		}
	}
	clear(r.tries)
	clear(r.conflicts)
}

// variantOf is the name of the PackageVariant that a request changes, and which part of it.
func variantOf(req *http.Request) (name, part string, ours bool) {
	_, rest, found := strings.Cut(req.URL.Path, "/packagevariants/")
	name, part, _ = strings.Cut(rest, "/")
	return name, part, found && (req.Method == http.MethodPatch || req.Method == http.MethodPut)
}

// TestConflicts has another user write every variant at the worst moments: before its finalizer comes,
// before its status is written, before its set changes it and before its finalizer goes.
func TestConflicts(t *testing.T) {
	f := newFleet(t, []string{"eu"})
	r := &rival{fleet: f, tries: map[string]int{}, conflicts: map[string]int{}}
	line := newWire()
	line.before, line.after = r.before, r.after
	set := func(region string) string {
		return shops + "      packageContext:\n        data:\n          region: " + region + "\n"
	}
	f.put("shops", set("eu"))
	p := f.launch(setup{wire: line})
	states := well("eu", first) + "\n" + well(shopOf("lyon"), "deployments.sites.lyon.packagevariant-1")
	f.await("all is drafted", f.local.reconcile(), f.allRefs)
	f.await("and said to be", states, f.states)
	r.meets("when finalizers come and statuses are written", "PATCH ", "PATCH status")
	f.put("shops", set("us"))
	p = f.settled(p, states)
	r.meets("when a set changes a variant", "PUT ")
	if got := f.get("packagevariant/eu", `{.metadata.annotations.rival/patchstatus}`); got != fmt.Sprint(most) {
		t.Errorf("what the other wrote stays: got %q", got)
	}

	p.end()
	p = f.launch(setup{wire: line})
	f.remove("eu")
	f.settled(p, well(shopOf("lyon"), "deployments.sites.lyon.packagevariant-1"))
	r.meets("when the finalizer goes", "PATCH ")
}

// shops is a set of a variant for each Site, up to its template's end.
const shops = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: shops
spec:
  upstream:
    repo: blueprints
    package: shop
    revision: 1
  targets:
  - objectSelector:
      apiVersion: infra.example/v1
      kind: Site
    template:
      downstream:
        repo: deployments
        packageExpr: "'sites/' + target.name"
      injectors:
      - kind: Site
        nameExpr: target.name
`

// shopOf is the name of the variant that shops makes for a Site.
func shopOf(site string) string { return "shops-deployments-sites-" + site }
