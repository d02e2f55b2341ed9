package chart

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// TestLife installs an older chart into an API server, upgrades it, installs a second release beside it, and uninstalls both. The
// definitions are upgraded with the release, and stay with their objects when it goes.
func TestLife(t *testing.T) {
	in, kubectl := installed(t)
	run := func(args ...string) string {
		t.Helper()
		out, err := in(args...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	const crd = "crd/changebudgets.waybill.dev"
	columns := func() string {
		t.Helper()
		return kubectl("", "get", crd, "-o", "jsonpath={.spec.versions[0].additionalPrinterColumns[*].name}")
	}
	older := olderChart(t)
	if out := run("install", "waybill", older, "--create-namespace"); !strings.Contains(out, "lease controller.waybill.dev") {
		t.Errorf("the notes name the lease:\n%s", out)
	}
	before := columns()
	kubectl(careful, "apply", "-f", "-")
	run("upgrade", "waybill", ".")
	if after := columns(); before != "" || after == "" {
		t.Errorf("the definition is upgraded: it had the columns %q, and has %q", before, after)
	}
	second := []string{"install", "waybill-a", ".", "--set", "watchLabelSelector=a=b", "--set", "userRoles=false"}
	if _, err := in(second...); err == nil || !strings.Contains(err.Error(), "invalid ownership metadata") {
		t.Errorf("two releases cannot both have the definitions: %v", err)
	}
	run(append(second, "--set", "crds.enabled=false")...)
	if got := kubectl("", "get", "deployments", "-n", system, "-o", "jsonpath={.items[*].metadata.name}"); got != "waybill-a-controller waybill-controller" {
		t.Errorf("want both releases, got %q", got)
	}
	run("uninstall", "waybill-a")
	run("uninstall", "waybill")
	if got := kubectl("", "get", "changebudget/careful", "-n", "fleet", "-o", "jsonpath={.metadata.name}"); got != "careful" {
		t.Errorf("the objects of users stay, got %q", got)
	}
	if got := kubectl("", "get", "deployments,clusterroles", "-n", system, "-o", "jsonpath={range .items[*]}{.metadata.name} {end}", "-l", "app.kubernetes.io/name=waybill"); got != "" {
		t.Errorf("nothing else stays, got %q", got)
	}
	run("install", "waybill", ".")
}

// installed is Helm, which works on an API server, and kubectl, which has to succeed there.
func installed(t *testing.T) (inHelm func(args ...string) (string, error), kubectl func(input string, args ...string) string) {
	t.Helper()
	c := clustertest.Start(t)
	config := c.Kubeconfig(t, c.Admin())
	inHelm = func(args ...string) (string, error) {
		return helm(t, append(args, "--kubeconfig", config, "--namespace", system)...)
	}
	return inHelm, func(input string, args ...string) string {
		t.Helper()
		out, err := c.Kubectl(t, c.Admin(), input, args...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
}

// copied is a copy of the chart, and the definition of ChangeBudgets in it.
func copied(t *testing.T) (dir, file, definition string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "waybill")
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "files/crds/waybill.dev_changebudgets.yaml")
	return dir, file, text(t, file)
}

// careful is a namespace with a ChangeBudget.
const careful = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: fleet\n---\napiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata:\n  name: careful\n  namespace: fleet\nspec:\n  maxObjects: 5\n"

// olderChart is the chart with a definition that has no columns.
func olderChart(t *testing.T) string {
	t.Helper()
	dir, file, now := copied(t)
	before, rest, found := strings.Cut(now, "  - additionalPrinterColumns:\n")
	_, after, named := strings.Cut(rest, "    name: v1alpha1\n")
	if !found || !named {
		t.Fatalf("%s has no columns", file)
	}
	if err := os.WriteFile(file, []byte(before+"  - name: v1alpha1\n"+after), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
