package manager_test

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// TestWatchesExpire changes all kinds of objects that a controller watches while it is cut off, and
// restarts the API server, which then does not know earlier versions: every watch is answered with
// "410 Gone", and what came, changed and went has to be found out.
func TestWatchesExpire(t *testing.T) {
	const none = "apiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata:\n  name: none\nspec:\n  maxObjects: 0\n  selector:\n    matchLabels:\n      held: \"yes\"\n"
	f := newFleet(t, []string{"eu", "fr"})
	us := strings.Replace(f.variant("us"), "lyon", "nice", 1)
	f.put("nice.yaml", replaced(f.env, "lyon.yaml", "lyon", "nice"))
	f.put("us", us)
	f.put("none", none)
	f.put("held", strings.Replace(f.variant("held"), "metadata:\n", "metadata:\n  labels:\n    held: \"yes\"\n", 1))
	line := newWire()
	p := f.launch(setup{wire: line})
	f.await("all but the one that a budget holds is drafted", f.local.reconcile(), f.allRefs)
	f.await("and is known to be", "eu True, fr True, held False, us True", f.conditions)

	before := f.version()
	line.cut()
	f.put("us", us+"  packageContext:\n    data:\n      region: emea\n")
	f.put("jp", f.variant("jp"))
	f.put("lyon.yaml", replaced(f.env, "lyon.yaml", "10.2", "10.7"))
	f.remove("fr")
	f.kubectl("", "delete", "changebudget/none")
	f.local.forget("none")
	f.StopAPIServer(t)
	f.StartAPIServer(t)
	for _, kind := range []string{"config.porch.kpt.dev/v1alpha1/%s/packagevariants", "waybill.dev/v1alpha1/%s/changebudgets", "infra.example/v1/%s/sites"} {
		kind = fmt.Sprintf(kind, "namespaces/"+f.namespace)
		f.await("what was before is not known any more", "true", func() string { return fmt.Sprint(f.expired(kind, before)) })
	}
	line.mend()
	f.settled(p, drafted("eu", "held", "jp", "us"))
}

// version is where the objects of the cluster stand.
func (f *fleet) version() string {
	f.Helper()
	var list porchconfig.PackageVariantList
	if err := f.admin.List(f.Context(), &list, client.InNamespace(f.namespace)); err != nil {
		f.Fatal(err)
	}
	return list.ResourceVersion
}

// expired reports whether a watch cannot go on from a version. A list has the server remember what comes
// from now on.
func (f *fleet) expired(kind, version string) bool {
	f.Helper()
	f.kubectl("", "get", "--raw", "/apis/"+kind+"?resourceVersion=0")
	const second = "?watch=1&timeoutSeconds=1&resourceVersion="
	answer, err := f.Kubectl(f, f.Admin(), "", "get", "--raw", "/apis/"+kind+second+version)
	return strings.Contains(answer+fmt.Sprint(err), "too old resource version")
}

// remove deletes a variant, in files as in the cluster.
func (f *fleet) remove(variant string) {
	f.Helper()
	f.local.put(variant, strings.Replace(f.local.files[variant], "metadata:\n", "metadata:\n  deletionTimestamp: \"2026-01-01T00:00:00Z\"\n", 1))
	f.kubectl("", "delete", "packagevariant/"+variant, "--wait=false")
}

// conditions is a word for each variant: whether it is ready.
func (f *fleet) conditions() string {
	f.Helper()
	out := f.get("packagevariants", `{range .items[*]}{.metadata.name} {range .status.conditions[?(@.type=="Ready")]}{.status}{end}, {end}`)
	return strings.TrimSuffix(out, ", ")
}
