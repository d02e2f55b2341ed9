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
	c := clustertest.Start(t)
	config := c.Kubeconfig(t, c.Admin())
	in := func(args ...string) string {
		t.Helper()
		out, err := helm(t, append(args, "--kubeconfig", config, "--namespace", system)...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	kubectl := func(input string, args ...string) string {
		t.Helper()
		out, err := c.Kubectl(t, c.Admin(), input, args...)
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
	if out := in("install", "waybill", older, "--create-namespace"); !strings.Contains(out, "lease controller.waybill.dev") {
		t.Errorf("the notes name the lease:\n%s", out)
	}
	before := columns()
	kubectl("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: fleet\n---\napiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata:\n  name: careful\n  namespace: fleet\nspec:\n  maxObjects: 5\n",
		"apply", "-f", "-")
	in("upgrade", "waybill", ".")
	if after := columns(); before != "" || after == "" {
		t.Errorf("the definition is upgraded: it had the columns %q, and has %q", before, after)
	}
	second := []string{"install", "waybill-a", ".", "--set", "watchLabelSelector=a=b", "--set", "userRoles=false"}
	_, err := helm(t, append(second, "--kubeconfig", config, "--namespace", system)...)
	if err == nil || !strings.Contains(err.Error(), "invalid ownership metadata") {
		t.Errorf("two releases cannot both have the definitions: %v", err)
	}
	in(append(second, "--set", "crds.enabled=false")...)
	if got := kubectl("", "get", "deployments", "-n", system, "-o", "jsonpath={.items[*].metadata.name}"); got != "waybill-a-controller waybill-controller" {
		t.Errorf("want both releases, got %q", got)
	}
	in("uninstall", "waybill-a")
	in("uninstall", "waybill")
	if got := kubectl("", "get", "changebudget/careful", "-n", "fleet", "-o", "jsonpath={.metadata.name}"); got != "careful" {
		t.Errorf("the objects of users stay, got %q", got)
	}
	if got := kubectl("", "get", "deployments,clusterroles", "-n", system, "-o", "jsonpath={range .items[*]}{.metadata.name} {end}", "-l", "app.kubernetes.io/name=waybill"); got != "" {
		t.Errorf("nothing else stays, got %q", got)
	}
	in("install", "waybill", ".")
}

// olderChart is the chart with a definition that has no columns.
func olderChart(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "waybill")
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "files/crds/waybill.dev_changebudgets.yaml")
	now := text(t, file)
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
