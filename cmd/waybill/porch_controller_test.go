package main

import (
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/porchtest"
)

// TestPorchController runs the controller in the cluster of a real Porch, with Porch's definitions and those that the component of
// the manifests adds. It says what is missing; then it drafts what Porch lists at once, and neither writes the other's status.
func TestPorchController(t *testing.T) {
	f := newPorchFleetAlone(t, "--repo-sync-frequency=1h")
	kubeconfig := f.Kubeconfig(t, f.Admin())
	lacking := startProcess(t, "controller", "--kubeconfig", kubeconfig, "--log-format", "text")
	const want = "error: the API server does not know ChangeBudget.v1alpha1.waybill.dev: apply waybill.dev_changebudgets.yaml of " +
		"controllers/manifests/crds; the definitions that are there, such as Porch's, serve and can stay\n"
	if err := lacking.cmd.Wait(); err == nil || !strings.HasSuffix(lacking.log.String(), want) {
		t.Errorf("without its own kind: want %q, got %v\n%s", want, err, &lacking.log)
	}

	definitions := f.get("crds", "{range .items[?(@.spec.group=='config.porch.kpt.dev')]}{.metadata.name} {.metadata.generation}\n{end}")
	f.kubectl("apply", "-k", besidePorch(t, "porch", "porch/notify"))
	if now := f.get("crds", "{range .items[?(@.spec.group=='config.porch.kpt.dev')]}{.metadata.name} {.metadata.generation}\n{end}"); now != definitions {
		t.Errorf("the component replaced Porch's definitions; before\n%s\nand now\n%s", definitions, now)
	}
	process := startProcess(t, "controller", "--kubeconfig", kubeconfig, "--namespace", "fleet", "--poll-interval", "1s", "--runtime", "inproc",
		"--notify-porch", "--log-format", "text")
	f.create(porchContext)
	f.kubectl("wait", "-n", f.namespace, "--for", "condition=waybill.dev/Ready", "--timeout", "60s", "repository", "--all")
	f.kubectl("wait", "-n", f.namespace, "--for", "condition=Ready", "--timeout", "60s", "repository", "--all")
	f.create(porchVariant + "  labels: {team: ran}\n")
	const name = "deployments.eu.shop.packagevariant-1"
	drafted := f.listed(name, "Draft")
	if files, _ := f.Resources(t, drafted); !strings.Contains(files["Kptfile"], "team: ran") || !strings.Contains(files["site.yaml"], "10.2.0.0/16") {
		t.Errorf("Porch shows the draft with the labels and the context of its variant; got\n%s\n%s", files["Kptfile"], files["site.yaml"])
	}

	const written = "{range .items[*]}{.metadata.name} {.metadata.resourceVersion} {range .status.conditions[*]}{.type}={.status} {.message}; {end}\n{end}"
	time.Sleep(3 * time.Second) // Porch reads once more what it was told about
	before := f.get("repositories", written)
	time.Sleep(6 * time.Second) // six polls
	if after := f.get("repositories", written); after != before || strings.Count(after, "Ready=True Repository Ready;") != 2 ||
		strings.Count(after, "waybill.dev/Ready=True the repository can be read;") != 2 {
		t.Errorf("each controller has a condition, and writes nothing while nothing changes; before\n%s\nand after\n%s", before, after)
	}
	if code := process.end(); code != exitDone || t.Failed() {
		t.Errorf("the controller ended with %d:\n%s", code, &process.log)
	}
}

// listed waits until Porch lists a revision, without asking it to read anything again.
func (f *porchFleet) listed(name, lifecycle string) porchtest.Revision {
	f.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		if revs, err := f.Revisions(f, f.namespace); err == nil && revs[name].Lifecycle == lifecycle {
			return revs[name]
		}
	}
	f.Fatalf("Porch does not list %s as %s; the variant says %s", name, lifecycle, f.get("packagevariants", "{.items[*].status}"))
	return porchtest.Revision{}
}

func (f *porchFleet) get(kind, path string) string {
	f.Helper()
	return f.kubectl("get", kind, "-n", f.namespace, "-o", "jsonpath="+path)
}

func (f *porchFleet) kubectl(args ...string) string {
	f.Helper()
	out, err := f.Kubectl(f, f.Admin(), "", args...)
	if err != nil {
		f.Fatal(err, out)
	}
	return out
}

// besidePorch is a folder with a kustomization of the manifests, with components for a cluster that has a Porch.
func besidePorch(t testing.TB, components ...string) string {
	t.Helper()
	return clustertest.Kustomization(t, "../../controllers/manifests", components...)
}
