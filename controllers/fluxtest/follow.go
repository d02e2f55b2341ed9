package fluxtest

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// syncTimeout is how long a Sync may take: far longer than it takes even on a busy machine.
const syncTimeout = 2 * time.Minute

// Objects are the objects by which Flux delivers a deployment repository. They name its address URL.
//
//go:embed objects.yaml
var Objects string

func (f *Flux) createNamespace(t testing.TB) {
	t.Helper()
	o := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	if err := client.IgnoreAlreadyExists(f.client.Create(t.Context(), o)); err != nil {
		t.Fatal(err)
	}
}

// Follow has Flux deliver the main branch of the repository at a URL.
func (f *Flux) Follow(t testing.TB, url string) {
	t.Helper()
	if out, err := f.Kubectl(t, f.Admin(), strings.ReplaceAll(Objects, "URL", url), "apply", "-f", "-"); err != nil {
		t.Fatal(err, out)
	}
}

// names are those of the GitRepositories and Kustomizations.
var names = []string{"works", "questions"}

// Sync has Flux fetch the branch, and waits until it has delivered this commit.
func (f *Flux) Sync(t testing.TB, commit string) {
	t.Helper()
	f.Request(t)
	f.Await(t, commit)
}

// Request asks for a fetch now, as a webhook does when a commit is pushed.
func (f *Flux) Request(t testing.TB) {
	t.Helper()
	for _, name := range names {
		f.request(t, gitRepository(name))
	}
}

// Await waits until Flux has applied a commit, pruned what the commit does not have, and found all works healthy: their agents have
// applied them.
func (f *Flux) Await(t testing.TB, commit string) {
	t.Helper()
	f.eventually(t, "deliver "+commit, func() string { return f.Pending(t, commit) })
}

// AwaitFetched waits until source-controller has fetched a commit, and has packed the works in it.
func (f *Flux) AwaitFetched(t testing.TB, commit string) {
	t.Helper()
	source := gitRepository(names[0])
	f.eventually(t, "fetch "+commit, func() string {
		f.get(t, source)
		revision, _, _ := unstructured.NestedString(source.Object, "status", "artifact", "revision")
		if revision != "main@sha1:"+commit {
			return "has " + revision
		}
		return ""
	})
}

// Reapply has Flux apply the last commit again, as it does after each interval.
func (f *Flux) Reapply(t testing.TB) {
	t.Helper()
	for _, name := range names {
		k := kustomization(name)
		requested := f.request(t, k)
		f.eventually(t, "apply again", func() string {
			f.get(t, k)
			if handled, _, _ := unstructured.NestedString(k.Object, "status", "lastHandledReconcileAt"); handled != requested {
				return name + " was last applied at " + handled
			}
			return ""
		})
	}
}

// eventually waits until wrong is empty.
func (f *Flux) eventually(t testing.TB, what string, wrong func() string) {
	t.Helper()
	said := wrong()
	for began := time.Now(); said != "" && time.Since(began) < syncTimeout; said = wrong() {
		time.Sleep(50 * time.Millisecond)
	}
	if said != "" {
		t.Fatalf("after %s Flux does not %s: %s\n%s", syncTimeout, what, said, f.logs())
	}
}

// Pending is what a Kustomization says that has not delivered a commit; empty if all have.
func (f *Flux) Pending(t testing.TB, commit string) string {
	t.Helper()
	for _, name := range names {
		if state := f.state(t, name); state != "True main@sha1:"+commit {
			return name + ": " + state
		}
	}
	return ""
}

func (f *Flux) request(t testing.TB, o *unstructured.Unstructured) (at string) {
	t.Helper()
	at = time.Now().Format(time.RFC3339Nano)
	patch := fmt.Sprintf(`{"metadata":{"annotations":{"reconcile.fluxcd.io/requestedAt":%q}}}`, at)
	if err := f.client.Patch(t.Context(), o, client.RawPatch(types.MergePatchType, []byte(patch))); err != nil {
		t.Fatal(err)
	}
	return at
}

func (f *Flux) get(t testing.TB, o *unstructured.Unstructured) {
	t.Helper()
	if err := f.client.Get(t.Context(), client.ObjectKeyFromObject(o), o); err != nil {
		t.Fatal(err)
	}
}

// state is whether a Kustomization is ready, and the revision that it applied last, or else why it is not.
func (f *Flux) state(t testing.TB, name string) string {
	t.Helper()
	k := kustomization(name)
	f.get(t, k)
	revision, _, _ := unstructured.NestedString(k.Object, "status", "lastAppliedRevision")
	conditions, _, _ := unstructured.NestedSlice(k.Object, "status", "conditions")
	for _, c := range conditions {
		if c := c.(map[string]any); c["type"] == "Ready" {
			if c["status"] == "True" {
				return "True " + revision
			}
			return fmt.Sprintf("%v %v: %v", c["status"], c["reason"], c["message"])
		}
	}
	return "no condition Ready"
}

func gitRepository(name string) *unstructured.Unstructured {
	return clustertest.Empty("source.toolkit.fluxcd.io/v1", "GitRepository", namespace, name)
}

func kustomization(name string) *unstructured.Unstructured {
	return clustertest.Empty("kustomize.toolkit.fluxcd.io/v1", "Kustomization", namespace, name)
}
