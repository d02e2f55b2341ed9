package translation_test

import (
	"context"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/midonet"
)

// all are all Translations there are.
func (w *testCluster) all() []midonet.Translation {
	w.Helper()
	list := &midonet.TranslationList{}
	w.must(w.List(context.Background(), list))
	return list.Items
}

// put creates a Translation, or replaces its resources. It waits for one of the name that goes away, as a
// writer does.
func (w *testCluster) put(t midonet.Translation) {
	w.Helper()
	var last error
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		there := &midonet.Translation{}
		err := w.Get(w.Context(), client.ObjectKeyFromObject(&t), there)
		switch {
		case client.IgnoreNotFound(err) != nil:
			w.Fatal(err)
		case err != nil:
			err = w.Create(w.Context(), t.DeepCopy())
		case there.DeletionTimestamp != nil:
			w.waiting()
			continue
		case cmp.Equal(there.Resources, t.Resources):
			return
		default:
			there.Resources = t.Resources
			err = w.Update(w.Context(), there)
		}
		if err == nil {
			return
		}
		last = err
	}
	w.Fatalf("Translation %s/%s cannot be written: %v; log:\n%s", t.Namespace, t.Name, last, w.log)
}

func (w *testCluster) remove(t *midonet.Translation) {
	w.Helper()
	w.must(client.IgnoreNotFound(w.Delete(context.Background(), t)))
}

// strip takes all finalizers away.
func (w *testCluster) strip(t *midonet.Translation) {
	w.Helper()
	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
	w.must(client.IgnoreNotFound(w.Patch(context.Background(), t.DeepCopy(), patch)))
}

// become makes the Translations of the cluster these, as a translator does: new ones first.
func (w *testCluster) become(wanted []midonet.Translation) {
	w.Helper()
	keep := map[types.NamespacedName]bool{}
	for _, t := range wanted {
		w.put(t)
		keep[client.ObjectKeyFromObject(&t)] = true
	}
	for _, t := range w.all() {
		if !keep[client.ObjectKeyFromObject(&t)] {
			w.remove(&t)
		}
	}
}
