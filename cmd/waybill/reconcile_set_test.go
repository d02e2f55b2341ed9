package main

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

const labSet = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: rooms
  namespace: fleet
spec:
  upstream: {repo: blueprints, package: shop, revision: 1}
  targets:
  - repositories:
    - name: deployments
      packageNames: [north/shop, south/shop]
    template:
      packageContext:
        data: {region: lab}
      injectors:
      - {kind: Inventory, name: lab}
`

// setFleet is the example's fleet with a set of two variants in place of the variants.
func setFleet(t *testing.T) *fleetRun {
	r := newFleetRun(t)
	for _, f := range []string{"eu", "us", "lab"} {
		r.edit("fleet/variants.yaml", "name: shop-"+f, "name: unused-"+f)
	}
	r.write("fleet/variants.yaml", labSet)
	return r
}

func TestReconcileSet(t *testing.T) {
	r := setFleet(t)
	r.expect("a set and its variants", exitDone, tableHeader+
		"set fleet/rooms  unchanged  -  -  -  2 variants\n"+
		"fleet/rooms-deployments-north-shop  created  deployments.north.shop.packagevariant-1  shop/v1  17  cloned from blueprints.shop.v1\n"+
		"fleet/rooms-deployments-south-shop  created  deployments.south.shop.packagevariant-1  shop/v1  17  cloned from blueprints.shop.v1\n",
		"", "reconcile", "-f", "fleet")
	r.edit("fleet/variants.yaml", "north/shop, south/shop", "north/shop")
	out, _, _ := r.run("reconcile", "-f", "fleet", "-o", "json")
	var list cli.List[struct {
		Kind, Name, Action, Message string
		Variants, Deleted           []string
	}]
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list.Items) != 3 {
		t.Fatalf("want three rows, got %v:\n%s", err, out)
	}
	if set := list.Items[0]; set.Kind != "PackageVariantSet" || len(set.Variants) != 1 || len(set.Deleted) != 1 || set.Message != "1 variant; 1 variant no longer wanted" {
		t.Errorf("the set's row: %+v", set)
	}
	r.edit("fleet/variants.yaml", "repo: blueprints", "repo: blueprint")
	r.unmoved("a set that fails", func() {
		r.expect("says why", exitFailed, tableHeader+"set fleet/rooms  failed  -  -  -  see below\n",
			"error: set fleet/rooms: could not find upstream package revision 'shop/v1' in repo 'blueprint'\n", "reconcile", "-f", "fleet")
	})
}

func TestReconcileBudget(t *testing.T) {
	r := setFleet(t)
	r.write("fleet/budget.yaml", "apiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata: {name: tight, namespace: fleet}\nspec: {maxObjects: 1}\n")
	r.unmoved("what a budget refuses", func() {
		out, messages, code := r.run("reconcile", "-f", "fleet")
		if code != exitRefused || strings.Count(out, "refused") != 2 || !strings.Contains(messages, `change budget "tight"`) {
			t.Errorf("exit status %d\n%s%s", code, out, messages)
		}
		if _, _, code = r.run("reconcile", "-f", "fleet", "--dry-run", "--exit-code"); code != exitRefused {
			t.Errorf("a dry run: exit status %d", code)
		}
	})
	r.edit("fleet/variants.yaml", "  namespace: fleet\n", "  namespace: fleet\n  annotations:\n    waybill.dev/exceed-budget: approved in a meeting\n")
	if out, messages, code := r.run("reconcile", "-f", "fleet"); code != exitDone || strings.Count(out, "created") != 2 {
		t.Errorf("a set's word counts for its variants: exit status %d\n%s%s", code, out, messages)
	}
	r.write("fleet/budget.yaml", "apiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata: {name: tight, namespace: flete}\nspec: {maxObjects: 1}\n")
	if _, messages, code := r.run("reconcile", "-f", "fleet"); code != exitFailed || !strings.Contains(messages, `ChangeBudget flete/tight: there is no PackageVariant and no PackageVariantSet in namespace "flete", so the budget has no effect; there are some in fleet`) {
		t.Errorf("a budget of another namespace guards nothing: exit status %d\n%s", code, messages)
	}
	if got := gittest.Git(t, r.path("deployments.git"), "log", "-1", "--format=%B", "drafts/north/shop/packagevariant-1"); !strings.Contains(got, "approved in a meeting") {
		t.Errorf("the commit records it; got\n%s", got)
	}
}

// TestReconcileWatch changes what a running waybill watches: files, and then a repository.
func TestReconcileWatch(t *testing.T) {
	r := setFleet(t)
	r.edit("fleet/variants.yaml", "revision: 1", "follow: latest")
	cmd, _, _ := r.command("reconcile", "-f", "fleet", "--watch", "--interval", "1s")
	out, messages := &sharedText{}, &sharedText{}
	cmd.Stdout, cmd.Stderr = out, messages
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	until := func(reason, want string) {
		t.Helper()
		deadline := time.Now().Add(time.Minute)
		for !strings.Contains(collapseSpaces(out.String()), want) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: no %q in\n%s%s", reason, want, out.String(), messages.String())
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	until("at first", "fleet/rooms-deployments-south-shop created deployments.south.shop.packagevariant-1 shop/v1")
	r.edit("fleet/variants.yaml", "north/shop, south/shop", "north/shop, south/shop, west/shop")
	until("a file changes", "fleet/rooms-deployments-west-shop created deployments.west.shop.packagevariant-1 shop/v1")

	for _, c := range [][]string{{"propose"}, {"approve", "--as", "jane@example.com"}} { // without a git on the PATH
		if _, messages, code := r.run(slices.Concat([]string{"rpkg"}, c, []string{"-f", "fleet", "deployments.north.shop.packagevariant-1"})...); code != exitDone {
			t.Fatal(messages)
		}
	}
	gittest.Commit(t, r.blueprints, gittest.Change{Files: gittest.Files(map[string]string{"shop/more.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n  namespace: shop\n"})})
	gittest.Git(t, r.blueprints, "tag", "shop/v2", "main")
	until("upstream moves", "fleet/rooms-deployments-north-shop created deployments.north.shop.packagevariant-2 shop/v2 ")

	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		var exit *exec.ExitError
		t.Errorf("an interrupt is how it ends: %v %v\n%s", err, exit, messages.String())
	}
	if n := strings.Count(out.String(), "VARIANT"); n != 1 {
		t.Errorf("one header, got %d in\n%s", n, out.String())
	}
}

// collapseSpaces is text with a single space between words.
func collapseSpaces(s string) string { return strings.Join(strings.Fields(s), " ") }

// sharedText is what a process writes while others read.
type sharedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *sharedText) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *sharedText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}
