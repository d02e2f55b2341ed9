package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

const tableHeader = "VARIANT  ACTION  DRAFT  UPSTREAM  FILES  MESSAGE\n"

// TestReconcile takes the real binary and the example's fleet through everything that the command
// line can say.
func TestReconcile(t *testing.T) {
	testenv.Need(t, testenv.Git)
	r := newFleetRun(t)
	r.unmoved("a dry run writes nothing", func() {
		r.expect("a dry run says what would be", exitDone, tableHeader+
			"fleet/shop-eu  would be created  deployments.eu.shop.packagevariant-1  shop/v1  22  cloned from blueprints.shop.v1\n"+
			"fleet/shop-lab  would be created  deployments.lab.shop.packagevariant-1  shop/v1  17  cloned from blueprints.shop.v1\n"+
			"fleet/shop-us  would be created  deployments.us.shop.packagevariant-1  shop/v1  20  cloned from blueprints.shop.v1\n",
			"", "reconcile", "-f", "fleet", "--dry-run")
		_, _, code := r.run("reconcile", "-f", "fleet", "--dry-run", "--exit-code")
		if code != 1 {
			t.Errorf("--exit-code: something would change: got exit status %d, want 1", code)
		}
	})
	r.expect("drafts", exitDone, tableHeader+
		"fleet/shop-eu  created  deployments.eu.shop.packagevariant-1  shop/v1  22  cloned from blueprints.shop.v1\n"+
		"fleet/shop-lab  created  deployments.lab.shop.packagevariant-1  shop/v1  17  cloned from blueprints.shop.v1\n"+
		"fleet/shop-us  created  deployments.us.shop.packagevariant-1  shop/v1  20  cloned from blueprints.shop.v1\n",
		"", "reconcile", "-f", "fleet")
	const quiet = tableHeader +
		"fleet/shop-eu  unchanged  deployments.eu.shop.packagevariant-1  shop/v1  -  nothing to change\n" +
		"fleet/shop-lab  unchanged  deployments.lab.shop.packagevariant-1  shop/v1  -  nothing to change\n" +
		"fleet/shop-us  unchanged  deployments.us.shop.packagevariant-1  shop/v1  -  nothing to change\n"
	r.unmoved("a second run", func() {
		r.expect("says that nothing changed", exitDone, quiet, "", "reconcile", "-f", "fleet")
		r.expect("and by its exit status", exitDone, quiet, "", "reconcile", "-f", "fleet", "--exit-code")
		r.expect("and so does a dry run", exitDone, quiet, "", "reconcile", "-f", "fleet", "--exit-code", "--dry-run")
	})
	r.unmoved("formats", r.checkFormats)
	r.unmoved("variants that fail", r.checkFailures)
	r.checkSecrecy()
}

// checkFormats wants the same data in JSON and YAML, nothing on stderr, and the report's fields.
func (r *fleetRun) checkFormats() {
	r.Helper()
	asJSON, messages, _ := r.run("reconcile", "-f", "fleet", "-o", "json")
	asYAML, more, _ := r.run("reconcile", "-f", "fleet", "-o", "yaml")
	if messages+more != "" {
		r.Errorf("nothing to say; got %q", messages+more)
	}
	var a, b cli.List[map[string]any]
	if err := json.Unmarshal([]byte(asJSON), &a); err != nil {
		r.Fatal(err)
	}
	if err := yaml.UnmarshalStrict([]byte(asYAML), &b); err != nil {
		r.Fatal(err)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		r.Errorf("JSON and YAML hold the same (-json +yaml):\n%s", diff)
	}
	if a.APIVersion != "waybill.dev/v1alpha1" || a.Kind != "ReconcileReport" {
		r.Errorf("it is a %s of %s", a.Kind, a.APIVersion)
	}
	delete(a.Items[0], "conditions")
	if diff := cmp.Diff(map[string]any{
		"namespace": "fleet", "name": "shop-eu", "action": "unchanged", "draft": "deployments.eu.shop.packagevariant-1",
		"upstream": "shop/v1",
		"targets":  []any{"deployments.eu.shop.packagevariant-1"}, "message": "nothing to change",
	}, a.Items[0]); diff != "" {
		r.Errorf("a report (-want +got):\n%s", diff)
	}
}

// checkFailures has one variant of three fail, and then all that can be wrong with a function.
func (r *fleetRun) checkFailures() {
	r.Helper()
	variants := r.read("fleet/variants.yaml")
	r.write("fleet/variants.yaml", strings.Replace(variants, "revision: 1", "revision: 7", 1))
	table := tableHeader +
		"fleet/shop-eu  failed  -  -  -  see below\n" +
		"fleet/shop-lab  unchanged  deployments.lab.shop.packagevariant-1  shop/v1  -  nothing to change\n" +
		"fleet/shop-us  unchanged  deployments.us.shop.packagevariant-1  shop/v1  -  nothing to change\n"
	missing := "error: fleet/shop-eu: could not find upstream package revision 'shop/v7' in repo 'blueprints'\n"
	r.expect("the others go on", exitFailed, table, missing, "reconcile", "-f", "fleet")
	r.expect("--exit-code distinguishes failure from change", 2, table, missing, "reconcile", "-f", "fleet", "--exit-code")
	for name, tc := range map[string]struct{ function, want string }{
		"unknown image": {"image: example.com/other:v1", `image "example.com/other:v1" is not linked into this binary, and no container engine (podman, docker, nerdctl) is installed`},
		"executable":    {"exec: /bin/true", "must run with `--allow-exec` option to allow running function binaries"},
		"failing": {"image: ghcr.io/waybill-dev/bind-resolve:v0.1.0\n      configMap:\n        maxClusters: \"1\"",
			"BindingPolicy shop"},
	} {
		edited := strings.Replace(variants, "  injectors:", "  pipeline:\n    mutators:\n    - "+tc.function+"\n  injectors:", 1)
		r.write("fleet/variants.yaml", strings.Replace(edited, "package: eu/shop", "package: asia/shop", 1))
		_, messages, code := r.run("reconcile", "-f", "fleet")
		want := `error: fleet/shop-eu: render package "asia/shop": function "` + strings.Fields(tc.function)[1] + `" (step 1): `
		if code != exitFailed || !strings.HasPrefix(messages, want) || !strings.Contains(messages, tc.want) || strings.Count(messages, "\n") != 1 {
			r.Errorf("%s: exit status %d, %q", name, code, messages)
		}
	}
	r.write("fleet/variants.yaml", variants)
}

// checkSecrecy looks for the password in all that was said, called and committed.
func (r *fleetRun) checkSecrecy() {
	r.Helper()
	for what, text := range map[string]string{
		"output":                             r.said.String(),
		"git's arguments and environment":    r.read("journal"),
		"the deployments' commits and trees": gittest.Git(r, r.path("deployments.git"), "log", "--all", "--patch", "--format=raw"),
		"refs":                               gittest.Refs(r, r.path("deployments.git")),
	} {
		if strings.Contains(text, fleetToken) || strings.Contains(text, "YWRhOnMzY3IzdC") || text == "" {
			r.Errorf("%s hold the password, or nothing at all", what)
		}
	}
}

// TestReconcileUsage wants exit status 2 for wrong usage, and 1 for wrong files, before anything is
// opened.
func TestReconcileUsage(t *testing.T) {
	testenv.Need(t, testenv.Git)
	r := newFleetRun(t)
	if err := os.Mkdir(r.path("empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.write("bad.yaml", "a: [\n")
	r.write("other.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
	for name, tc := range map[string]struct {
		reason string
		args   []string
		code   int
		want   string
	}{
		"no files":     {"nothing to reconcile", nil, exitUsage, "error: name the files or folders with your objects by --filename\n"},
		"bad output":   {"a format that is none", []string{"-f", "fleet", "-o", "xml"}, exitUsage, "error: --output \"xml\": want table, json or yaml\n"},
		"watch":        {"not yet", []string{"-f", "fleet", "--once=false"}, exitUsage, "error: --once=false: use --watch to continue until interrupted\n"},
		"no such file": {"named as given", []string{"-f", "none.yaml"}, exitFailed, "error: stat none.yaml: no such file or directory\n"},
		"other":        {"a file without a variant", []string{"-f", "other.yaml"}, exitFailed, "error: --filename names no PackageVariant and no PackageVariantSet\n"},
		"empty":        {"a folder without an object", []string{"-f", "fleet", "-f", "empty"}, exitFailed, "error: empty: there is no object; leave it out if that is intended\n"},
		"no path":      {"a variable that is not set", []string{"-f", "fleet", "-f", ""}, exitUsage, "error: invalid argument \"\" for \"-f, --filename\" flag: the path is empty; see 'waybill reconcile --help'\n"},
		"broken":       {"file and line", []string{"-f", "fleet", "-f", "bad.yaml"}, exitFailed, "error: bad.yaml: document 1, line 2: not valid YAML: did not find expected node content\n"},
		"twice":        {"a folder given twice", []string{"-f", "fleet", "-f", "fleet/variants.yaml"}, exitFailed, "error: fleet/variants.yaml: document 1, line 1: PackageVariant fleet/shop-eu occurs twice; it is also in fleet/variants.yaml: document 1, line 1\n"},
	} {
		r.unmoved(name, func() {
			r.expect(name+": "+tc.reason, tc.code, "", tc.want, append([]string{"reconcile"}, tc.args...)...)
		})
	}
}
