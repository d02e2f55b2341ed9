package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/controllers/porchtest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestPorchRevisionsController runs the controller over the revisions of a real Porch, which alone has access to Git, with the rights
// of its component and a poll every hour: what people and Porch do reaches it by the watch.
func TestPorchRevisionsController(t *testing.T) {
	f := newPorchFleetAlone(t)
	f.kubectl("apply", "-k", besidePorch(t, "porch", "porch/revisions"))
	f.create(porchContext + porchContextRole)
	kubeconfig := f.Kubeconfig(t, f.ServiceAccount(t, "waybill-system", "waybill-controller"))
	process := startProcess(t, "controller", "--kubeconfig", kubeconfig, "--namespace", "fleet", "--poll-interval", "1h", "--runtime", "inproc",
		"--revisions", "porch", "--log-format", "text")
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(&process.log)
		}
	})
	f.kubectl("wait", "-n", "fleet", "--for", "condition=waybill.dev/Ready", "--timeout", "60s", "repository", "--all")
	f.create(porchVariant + "  labels: {team: ran}\n  annotations: {example.com/contact: ada}\n")
	const first, second = "deployments.eu.shop.packagevariant-1", "deployments.eu.shop.packagevariant-2"
	f.AwaitFiles(t, f.Await(t, "fleet", first, "Draft"), "site.yaml", "10.2.0.0/16")
	f.eventually("the draft is its variant's, with labels and annotations", func() bool { // Porch lists what it pushed before it stores these
		drafted := f.revision(first).Object
		return ownedBy(drafted, "eu") && drafted.GetLabels()["team"] == "ran" && drafted.GetAnnotations()["example.com/contact"] == "ada"
	})
	f.publish(first)
	f.kubectl("patch", "packagevariant", "-n", "fleet", "eu", "--type=merge", "-p", `{"spec":{"packageContext":{"data":{"region":"north"}}}}`)
	f.AwaitFiles(t, f.Await(t, "fleet", second, "Draft"), "package-context.yaml", "region: north")
	f.awaitQuiet()
	edited := f.Await(t, "fleet", second, "Draft")
	if err := f.Delete(t, edited); err != nil {
		t.Fatal(err)
	}
	f.eventually("the draft that a person deleted is made again", func() bool {
		again := f.revision(second)
		return again.Lifecycle == "Draft" && again.Object.GetResourceVersion() != edited.Object.GetResourceVersion()
	})
	f.AwaitFiles(t, f.Await(t, "fleet", second, "Draft"), "package-context.yaml", "region: north")
	f.publish(second)
	text := strings.Replace(porchApp, "hello", "good day", 1)
	f.kubectl("patch", "packagevariant", "-n", "fleet", "eu", "--type=merge", "-p", `{"spec":{"upstream":{"revision":2}}}`)
	f.release(2, map[string]*string{"shop/app.yaml": &text}) // the variant waits for it, and Porch shows it
	const third = "deployments.eu.shop.packagevariant-3"
	f.AwaitFiles(t, f.Await(t, "fleet", third, "Draft"), "app.yaml", "good day")

	f.awaitQuiet()
	f.deletions(t, first, second, third)
	if code := process.end(); code != exitDone {
		t.Errorf("the controller ended with %d", code)
	}
}

// porchContextRole lets the controller read what it injects. Nothing aggregates roles here.
const porchContextRole = `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: injected}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [list, watch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: injected}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: injected}
subjects: [{kind: ServiceAccount, name: waybill-controller, namespace: waybill-system}]
`

// deletions deletes a variant that orphans: its revisions stay, without a reference to it. Then another one adopts them, and
// with its deletion they go.
func (f *porchFleet) deletions(t *testing.T, published, latest, draft string) {
	t.Helper()
	f.kubectl("patch", "packagevariant", "-n", "fleet", "eu", "--type=merge", "-p", `{"spec":{"deletionPolicy":"orphan"}}`)
	f.kubectl("delete", "packagevariant", "-n", "fleet", "eu", "--timeout=60s")
	for name, lifecycle := range map[string]string{published: "Published", latest: "Published", draft: "Draft"} {
		if rev := f.Await(t, "fleet", name, lifecycle); len(rev.Object.GetOwnerReferences()) > 0 {
			t.Errorf("%s has an owner that is gone, for which it would be deleted: %v", name, rev.Object.GetOwnerReferences())
		}
	}
	adopting := strings.NewReplacer("name: eu,", "name: heir,", "revision: 1", "revision: 2", "region: eu", "region: north").Replace(porchVariant)
	f.create(adopting + "  adoptionPolicy: adoptExisting\n  labels: {heir: \"true\"}\n")
	for _, name := range []string{published, latest, draft} {
		f.eventuallyRestored("the heir owns "+name, func() bool {
			rev := f.revision(name).Object
			return ownedBy(rev, "heir") && rev.GetLabels()["heir"] == "true"
		})
	}
	f.kubectl("delete", "packagevariant", "-n", "fleet", "heir", "--timeout=60s")
	f.Await(t, "fleet", published, "DeletionProposed")
	f.Await(t, "fleet", latest, "DeletionProposed")
	f.AwaitGone(t, "fleet", draft)
}

// ownedBy reports whether a variant, and nothing else, owns a revision.
func ownedBy(o unstructured.Unstructured, variant string) bool {
	owners := o.GetOwnerReferences()
	return len(owners) == 1 && owners[0].Kind == "PackageVariant" && owners[0].Name == variant
}

// revision is what Porch lists of a name now; empty if it lists nothing.
func (f *porchFleet) revision(name string) porchtest.Revision {
	revs, err := f.Revisions(f, f.namespace)
	if err != nil {
		f.Log(err) // it may answer the next request
	}
	return revs[name]
}

func (f *porchFleet) eventually(what string, is func() bool) {
	f.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			f.Fatalf("it is not so that %s; the variants say %s, the revisions %s", what, f.get("packagevariants", "{.items[*].status}"),
				f.get("packagerevisions", "{.items[*].metadata}"))
		}
	}
}

// eventuallyRestored is eventually for metadata that Porch 1.5.3 may lose without an event: after 10 s, the controller lists the revisions
// again, as it would without a poll every hour.
func (f *porchFleet) eventuallyRestored(what string, is func() bool) {
	f.Helper()
	for range 5 {
		if f.retry(1, is) {
			return
		}
		f.kubectl("patch", "repository", "-n", f.namespace, "deployments", "--type=merge", "-p",
			fmt.Sprintf(`{"spec":{"sync":{"runOnceAt":%q}}}`, time.Now().UTC().Format(time.RFC3339)))
	}
	f.eventually(what, is)
}

// awaitQuiet waits until nothing is written any more while nothing changes: Porch may have lost metadata, which the controller restores.
func (f *porchFleet) awaitQuiet() {
	f.Helper()
	const quiet, patience = 4 * time.Second, time.Minute
	before := ""
	for began := time.Now(); ; time.Sleep(quiet) {
		now := gittest.Refs(f, f.deployments)
		if now == before {
			return
		}
		if time.Since(began) > patience {
			f.Fatalf("refs change while nothing else does; they were\n%s and are\n%s", before, now)
		}
		before = now
	}
}
