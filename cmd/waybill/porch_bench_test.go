package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// BenchmarkPorch has Porch's own controllers, and Waybill's with --revisions porch, draft many variants of a package of 20 objects
// and one function; then all variants change, and then one. A phase ends after porchPatience, done or not: n-done is how many variants
// were. Porch reads repositories once a minute. With DB_HOST and the other variables of porch-server's database set, Porch keeps drafts
// there. -short leaves out 1,000 variants.
func BenchmarkPorch(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		if testing.Short() && n > 100 {
			break
		}
		for _, who := range []string{"porch", "waybill"} {
			b.Run(fmt.Sprintf("variants=%d/%s", n, who), func(b *testing.B) {
				for b.Loop() {
					r := newPorchRace(b, n)
					if who == "porch" {
						r.StartControllers(b)
					} else {
						r.startWaybill()
					}
					for _, phase := range []struct {
						name   string
						action func() (changed int)
					}{{"drafted", r.createAll}, {"updated", r.changeAll}, {"one", r.changeOne}} {
						began := time.Now()
						of := phase.action()
						done := r.await(of)
						took := time.Since(began)
						b.Logf("%s: %d of %d variants after %v", phase.name, done, of, took.Round(time.Second))
						b.ReportMetric(took.Seconds(), "s-"+phase.name)
						b.ReportMetric(float64(done), "n-"+phase.name)
						if done < of {
							break
						}
						r.kubectl("wait", "-n", "fleet", "--for", "condition=Ready", "--timeout", "5m", "packagevariant", "--all")
					}
				}
			})
		}
	}
}

// porchRace is a fleet with many variants.
type porchRace struct {
	*porchFleet
	b       *testing.B
	regions []string // that each variant asks for
}

func newPorchRace(b *testing.B, n int) *porchRace {
	b.Helper()
	r := &porchRace{porchFleet: newPorchFleetAlone(b, "--repo-sync-frequency=1m"), b: b, regions: make([]string, n)}
	kptfile := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  mutators:\n" +
		"  - image: gcr.io/kpt-fn/set-namespace:v0.4.1\n    configMap:\n      namespace: shop\n"
	files := map[string]*string{"shop/Kptfile": &kptfile, "shop/site.yaml": nil}
	for i := range 19 {
		text := fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: part-%d # one of many\ndata:\n", i)
		for line := range 20 {
			text += fmt.Sprintf("  key-%d: \"value %d of part %d\"\n", line, line, i)
		}
		files[fmt.Sprintf("shop/part-%02d.yaml", i)] = &text
	}
	r.release(2, files)
	r.AwaitReady(b, "fleet", "deployments")
	r.Await(b, "fleet", "blueprints.shop.v2", "Published")
	return r
}

func (r *porchRace) startWaybill() {
	r.kubectl("apply", "-k", besidePorch(r.b, "porch"))
	startProcess(r.b, "controller", "--kubeconfig", r.Kubeconfig(r.b, r.Admin()), "--namespace", "fleet", "--runtime", "inproc", "--revisions", "porch")
	r.kubectl("wait", "-n", "fleet", "--for", "condition=waybill.dev/Ready", "--timeout", "60s", "repository", "--all")
}

// raceVariant is the type and the name of a variant.
func raceVariant(i int) *unstructured.Unstructured {
	return clustertest.Empty("config.porch.kpt.dev/v1alpha1", "PackageVariant", "fleet", fmt.Sprintf("shop-%04d", i))
}

func (r *porchRace) createAll() int {
	r.forEach(len(r.regions), func(ctx context.Context, i int) error {
		r.regions[i] = "first"
		o := raceVariant(i)
		o.Object["spec"] = map[string]any{
			"upstream":       map[string]any{"repo": "blueprints", "package": "shop", "workspaceName": "v2"},
			"downstream":     map[string]any{"repo": "deployments", "package": o.GetName()},
			"packageContext": map[string]any{"data": map[string]any{"region": "first"}},
		}
		return r.Client.Create(ctx, o)
	})
	return len(r.regions)
}

func (r *porchRace) changeAll() int { return r.change(len(r.regions), "second") }

func (r *porchRace) changeOne() int { return r.change(1, "third") }

// change changes the first n variants.
func (r *porchRace) change(n int, region string) int {
	r.forEach(n, func(ctx context.Context, i int) error {
		r.regions[i] = region
		patch := fmt.Sprintf(`{"spec":{"packageContext":{"data":{"region":%q}}}}`, region)
		return r.Client.Patch(ctx, raceVariant(i), client.RawPatch(types.MergePatchType, []byte(patch)))
	})
	return n
}

func (r *porchRace) forEach(n int, do func(ctx context.Context, i int) error) {
	r.Helper()
	errs := make([]error, n)
	workqueue.ParallelizeUntil(r.b.Context(), 8, n, func(i int) { errs[i] = do(r.b.Context(), i) })
	for _, err := range errs {
		if err != nil {
			r.Fatal(err)
		}
	}
}

// porchPatience is how long all variants of a phase may take.
const porchPatience = 15 * time.Minute

// await waits until the drafts of the first n variants hold what they ask for, and returns how many do. It asks for one at a time, so as
// not to disturb.
func (r *porchRace) await(n int) (done int) {
	r.Helper()
	deadline := time.Now().Add(porchPatience)
	for i := range n {
		is := r.holds(i)
		for !is && time.Now().Before(deadline) {
			time.Sleep(100 * time.Millisecond)
			is = r.holds(i)
		}
		if is {
			done++
		}
	}
	return done
}

// holds reports whether the draft of a variant holds what it asks for.
func (r *porchRace) holds(i int) bool {
	return strings.Contains(r.file(fmt.Sprintf("deployments.shop-%04d.packagevariant-1", i), "package-context.yaml"), "region: "+r.regions[i])
}

// file is a file of a revision; empty where there is none.
func (r *porchRace) file(name, file string) string {
	o := clustertest.Empty("porch.kpt.dev/v1alpha1", "PackageRevisionResources", "fleet", name)
	if r.Client.Get(r.b.Context(), client.ObjectKeyFromObject(o), o) != nil {
		return ""
	}
	text, _, _ := unstructured.NestedString(o.Object, "spec", "resources", file)
	return text
}
