package manager_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// BenchmarkCluster has a running controller draft many variants of a package of 20 objects, from the
// creation of the first until all are Ready, and then follow a change in one of them.
func BenchmarkCluster(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000} {
		if testing.Short() && n > 100 {
			break
		}
		b.Run(fmt.Sprintf("drafts=%d", n), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				w := newEnv(b)
				w.patience = 5 * time.Minute
				w.release(2, parts(18))
				stop := w.start(func(o *manager.Options) {
					*o = manager.Options{Functions: o.Functions, Namespaces: o.Namespaces, Log: o.Log}
				})
				c := w.client()
				w.eventually("the controller works", "True", func() string { return w.conditionStatus("repository/blueprints") })
				b.StartTimer()
				began := time.Now()
				w.create(c, n)
				w.allReady(c, n, 2)
				b.StopTimer()
				b.ReportMetric(float64(n)/time.Since(began).Seconds(), "drafts/s")
				b.ReportMetric(w.changeOne(c).Seconds()*1000, "ms/change")
				gittest.Fsck(b, w.dirs["deployments"])
				stop()
				b.StartTimer()
			}
		})
	}
}

func parts(n int) map[string]*string {
	files := map[string]*string{}
	for i := range n {
		text := fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: part-%d # one of many\ndata:\n", i)
		for line := range 20 {
			text += fmt.Sprintf("  key-%d: \"value %d of part %d\"\n", line, line, i)
		}
		files[fmt.Sprintf("shop/part-%02d.yaml", i)] = &text
	}
	return files
}

func (w *env) client() client.Client {
	scheme := runtime.NewScheme()
	if err := porchconfig.AddToScheme(scheme); err != nil {
		w.Fatal(err)
	}
	c, err := client.New(w.Admin(), client.Options{Scheme: scheme})
	if err != nil {
		w.Fatal(err)
	}
	return c
}

// create creates variants, some at a time.
func (w *env) create(c client.Client, n int) {
	next := make(chan int)
	var workers sync.WaitGroup
	for range 16 {
		workers.Go(func() {
			for i := range next {
				pv := &porchconfig.PackageVariant{Spec: porchconfig.PackageVariantSpec{
					Upstream:   &porchconfig.Upstream{Repo: "blueprints", Package: "shop", Revision: 2},
					Downstream: &porchconfig.Downstream{Repo: "deployments", Package: fmt.Sprintf("site-%04d/shop", i)},
					Injectors:  []porchconfig.InjectionSelector{{Name: "lyon"}},
				}}
				pv.Namespace, pv.Name = w.namespace, fmt.Sprintf("site-%04d", i)
				if err := c.Create(w.Context(), pv); err != nil {
					w.Error(err)
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	workers.Wait()
}

// allReady waits until all variants are.
func (w *env) allReady(c client.Client, n, revision int) {
	w.eventually("all variants are ready", fmt.Sprint(n), func() string {
		var list porchconfig.PackageVariantList
		if err := c.List(w.Context(), &list, client.InNamespace(w.namespace)); err != nil {
			w.Fatal(err)
		}
		ready := 0
		for _, pv := range list.Items {
			if meta.IsStatusConditionTrue(pv.Status.Conditions, porchconfig.ConditionReady) && pv.Spec.Upstream.Revision == revision {
				ready++
			}
		}
		return fmt.Sprint(ready)
	})
}

// changeOne changes one variant, and returns how long it took until its draft had changed.
func (w *env) changeOne(c client.Client) time.Duration {
	const ref = "heads/drafts/site-0000/shop/packagevariant-1"
	pv := &porchconfig.PackageVariant{}
	if err := c.Get(w.Context(), client.ObjectKey{Namespace: w.namespace, Name: "site-0000"}, pv); err != nil {
		w.Fatal(err)
	}
	pv.Spec.PackageContext = &porchconfig.PackageContext{Data: map[string]string{"region": "eu"}}
	began := time.Now()
	if err := c.Update(w.Context(), pv); err != nil {
		w.Fatal(err)
	}
	w.eventually("the draft has changed", "true", func() string {
		return fmt.Sprint(strings.Contains(w.show(ref, "site-0000/shop/package-context.yaml"), "region: eu"))
	})
	return time.Since(began)
}
