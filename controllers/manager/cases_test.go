package manager_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestAdoption meets a package that is there already.
func TestAdoption(t *testing.T) {
	w := newEnv(t)
	kptfile := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n"
	gittest.Commit(t, w.dirs["deployments"], gittest.Change{Branch: "drafts/eu/shop/mine", Files: gittest.Files(map[string]string{"eu/shop/Kptfile": kptfile})})
	w.start()
	w.apply(w.objects["eu.yaml"])
	w.eventually("another user's package is left alone", "False Error: downstream package \"eu/shop\" exists already in repo \"deployments\" "+
		`(revision "deployments.eu.shop.mine"): spec.adoptionPolicy "adoptExisting" takes it over`, func() string { return w.ready("packagevariant/eu") })
	w.apply(w.objects["eu.yaml"] + "  adoptionPolicy: adoptExisting\n")
	w.eventually("unless the variant may take it over", good, func() string { return w.ready("packagevariant/eu") })
	w.eventually("and then there is no other", "heads/drafts/eu/shop/mine", w.refs)
	w.eventually("what kept it from working is in one event, and no more", "1", func() string {
		return w.count("events", `{range .items[?(@.reason=="Blocked")]}x{end}`)
	})
}

// TestInvalid has a variant that is wrong in itself, and one whose repository is not there yet.
func TestInvalid(t *testing.T) {
	w := newEnv(t)
	w.start()
	w.apply(strings.NewReplacer("name: eu\n", "name: e.u\n", "repo: deployments", "repo: later").Replace(w.objects["eu.yaml"]))
	w.eventually("a repository that is not there is named", `False Error: downstream: there is no Repository "later" in namespace "`+w.namespace+`"`,
		func() string { return w.ready("packagevariant/e.u") })
	w.apply(strings.Replace(w.objects["deployments.yaml"], "name: deployments", "name: later", 1))
	w.eventually("when it comes, the variant is worked", good, func() string { return w.ready("packagevariant/e.u") })
	w.apply(strings.NewReplacer("name: eu\n", "name: e.u\n", "repo: deployments", "repo: later").Replace(w.objects["eu.yaml"]) +
		"  pipeline:\n    mutators:\n    - image: example.com/note:v1\n")
	w.eventually("a spec that is wrong stalls", "True ValidationError",
		func() string {
			return w.get("packagevariant/e.u", `{range .status.conditions[?(@.type=="Stalled")]}{.status} {.reason}{end}`)
		})
}

// TestRepositories has Repositories that cannot be read, and asks for looks out of turn.
func TestRepositories(t *testing.T) {
	w := newEnv(t)
	local := strings.NewReplacer("name: blueprints", "name: local").Replace(w.objects["blueprints.yaml"])
	_, url, _ := strings.Cut(local, "repo: ")
	w.start()
	w.apply(strings.Replace(local, url, w.dirs["blueprints"]+"\n", 1),
		"apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: registry\nspec:\n  type: oci\n  oci:\n    registry: example.com/packages:v1\n")
	w.eventually("a path of the controller's own machine is refused",
		`False Error: spec.git.repo "`+w.dirs["blueprints"]+`": in a cluster, want an https or http URL`, func() string { return w.ready("repository/local") })
	w.eventually("an address in a registry names no single package",
		`False Error: spec.oci.registry "example.com/packages:v1": want HOST or HOST/PATH, without a tag or digest`, func() string { return w.ready("repository/registry") })
	w.eventually("what was found is in the status", "1 "+gittest.Git(t, w.dirs["blueprints"], "rev-parse", "main"),
		func() string { return w.get("repository/blueprints", "{.status.packageCount} {.status.gitCommitHash}") })
	w.apply(w.objects["blueprints.yaml"] + "  sync:\n    schedule: \"0 3 * * *\"\n    runOnceAt: \"2026-01-01T00:00:00Z\"\n")
	w.eventually("a look out of turn is taken once", "2026-01-01T00:00:00Z", func() string { return w.get("repository/blueprints", "{.status.observedRunOnceAt}") })
	w.eventually("and the next is by schedule", "03:00:00Z", func() string {
		_, at, _ := strings.Cut(w.get("repository/blueprints", "{.status.nextFullSyncTime}"), "T")
		return at
	})
}

// TestBranch has Repositories without the branch that they name.
func TestBranch(t *testing.T) {
	w := newEnv(t)
	empty := strings.Replace(w.objects["deployments.yaml"], "name: deployments", "name: empty", 1)
	before, _, _ := strings.Cut(empty, "repo: ")
	dir := gittest.NewBare(t)
	w.apply(before + "repo: " + gittest.NewHTTP(t, dir) + "\n")
	w.start()
	const missing = `False Error: the repository has no branch "main": push one, or set spec.git.createBranch`
	ready := func() string { return w.ready("repository/empty") }
	w.eventually("nothing can be drafted in an empty repository", missing, ready)
	w.apply(before + "createBranch: true\n    repo: " + gittest.NewHTTP(t, dir) + "\n")
	w.eventually("unless the branch may be made", `True Ready: the repository can be read; its branch "main" is made with the first draft`, ready)
	w.apply(strings.Replace(w.objects["eu.yaml"], "repo: deployments", "repo: empty", 1))
	w.eventually("as it is then", "True Ready: the repository can be read", ready)
	w.eventually("for the draft", good, func() string { return w.ready("packagevariant/eu") })
	gittest.Git(t, dir, "update-ref", "-d", "refs/heads/main")
	w.apply(before + "createBranch: false\n    repo: " + gittest.NewHTTP(t, dir) + "\n")
	w.eventually("a branch that goes is missed", missing, ready)
	w.eventually("and that is reported, once each time", "2", func() string {
		return w.count("events", `{range .items[?(@.reason=="Error")]}x{end}`)
	})
	gittest.Commit(t, dir, gittest.Change{})
	w.eventually("one that comes is seen", "True Ready: the repository can be read", ready)
}

// TestBudget holds a change back that is larger than a budget, until the budget allows it.
func TestBudget(t *testing.T) {
	w := newEnv(t)
	budget := "apiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata:\n  name: small\nspec:\n  maxObjects: "
	w.apply(budget + "1\n")
	w.start()
	w.apply(w.objects["eu.yaml"])
	w.eventually("what changes too much is not drafted", "False", func() string { return w.conditionStatus("packagevariant/eu") })
	w.eventually("its budget says so", "True BudgetExceeded",
		func() string {
			return w.get("changebudget/small", `{range .status.conditions[?(@.type=="Exceeded")]}{.status} {.reason}{end}`)
		})
	w.eventually("nothing is written", "", w.refs)
	w.apply(budget + "20\n")
	w.eventually("a budget that allows it lets it pass", good, func() string { return w.ready("packagevariant/eu") })
}

// TestBudgetSelectsNothing has a budget whose label is misspelt: it holds its namespace back, and says so.
func TestBudgetSelectsNothing(t *testing.T) {
	w := newEnv(t)
	w.apply(w.objects["eu.yaml"], "apiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata: {name: small}\nspec: {maxObjects: 1, selector: {matchLabels: {tier: glod}}}\n")
	w.start()
	w.eventually("it is not ready", "False SelectsNothing", func() string {
		return w.get("changebudget/small", `{range .status.conditions[?(@.type=="Ready")]}{.status} {.reason}{end}`)
	})
	w.eventually("nothing is written", "", w.refs)
	w.kubectl("", "annotate", "changebudget/small", "waybill.dev/allow-empty-selection=true")
	w.eventually("one that may select nothing lets all pass", good, func() string { return w.ready("packagevariant/eu") })
}

// TestBudgetHoldsTogether has two variants that are too much together: one of them does not slip
// through when it alone is looked at again.
func TestBudgetHoldsTogether(t *testing.T) {
	w := newEnv(t)
	fr := strings.NewReplacer("name: eu\n", "name: fr\n", "eu/shop", "fr/shop").Replace(w.objects["eu.yaml"])
	w.apply(w.objects["eu.yaml"], fr, "apiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata:\n  name: small\nspec:\n  maxObjects: 3\n")
	w.start()
	w.eventually("one is held back", "False", func() string { return w.conditionStatus("packagevariant/eu") })
	w.eventually("and so is the other", "False", func() string { return w.conditionStatus("packagevariant/fr") })
	w.kubectl("", "annotate", "packagevariant/fr", "look=again")
	w.eventually("one that is looked at again is held back with the other", "2", func() string {
		return strconv.Itoa(min(2, strings.Count(w.log.String(), "msg=pass namespace="+w.namespace+" variants=2")))
	})
	w.eventually("nothing is written", "", w.refs)
	w.kubectl("", "annotate", "packagevariant/eu", "waybill.dev/exceed-budget=a launch")
	w.eventually("unless a user says why", "heads/drafts/eu/shop/packagevariant-1\nheads/drafts/fr/shop/packagevariant-1", w.refs)
}

// TestRivals has two variants want one package: when the first goes, the other gets it.
func TestRivals(t *testing.T) {
	w := newEnv(t)
	w.start()
	w.apply(w.objects["eu.yaml"])
	w.eventually("the first has it", good, func() string { return w.ready("packagevariant/eu") })
	w.apply(strings.Replace(w.objects["eu.yaml"], "name: eu\n", "name: rival\n", 1))
	w.eventually("the second has to wait", "False", func() string { return w.conditionStatus("packagevariant/rival") })
	w.kubectl("", "delete", "packagevariant/eu", "--timeout=20s")
	w.eventually("until the first is gone", good, func() string { return w.ready("packagevariant/rival") })
	if owner := gittest.Git(t, w.dirs["deployments"], "log", "-1", "--format=%(trailers:key=Waybill-Owner,valueonly)", "drafts/eu/shop/packagevariant-1"); !strings.HasSuffix(strings.TrimSpace(owner), "/rival") {
		t.Errorf("the draft is the second's now, got %q", owner)
	}
}

// TestSet makes variants by a set, for Repositories that come and go, and for objects of a kind.
func TestSet(t *testing.T) {
	w := newEnv(t)
	w.start()
	w.apply(`apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: shops
spec:
  upstream:
    repo: blueprints
    package: shop
    revision: 1
  targets:
  - objectSelector:
      apiVersion: infra.example/v1
      kind: Site
      matchLabels:
        shop: "yes"
    template:
      downstream:
        repo: deployments
        packageExpr: "target.name + '/shop'"
`)
	w.eventually("a set without targets is at rest, and says which selector matches nothing",
		"True Reconciled: package variants successfully reconciled; spec.targets[0].objectSelector matches no Site: shop=yes", func() string { return w.ready("packagevariantset/shops") })
	w.kubectl("", "label", "site/lyon", "shop=yes")
	w.eventually("an object that is selected now gets a variant, and that a draft", "heads/drafts/lyon/shop/packagevariant-1", w.refs)
	w.apply(strings.NewReplacer("name: lyon", "name: oslo\n  labels:\n    shop: \"yes\"").Replace(w.objects["lyon.yaml"]))
	w.eventually("a new object does, too", "heads/drafts/lyon/shop/packagevariant-1\nheads/drafts/oslo/shop/packagevariant-1", w.refs)
	w.kubectl("", "delete", "site/lyon")
	w.eventually("what is no longer wanted goes", "heads/drafts/oslo/shop/packagevariant-1", w.refs)
	w.eventually("with its variant", "1", func() string { return w.count("packagevariants", "{range .items[*]}x{end}") })
	w.eventually("each of these is an event of its own", "Create VariantsCreated shops-deployments-lyon-shop 1: shops-deployments-lyon-shop\n"+
		"Create VariantsCreated shops-deployments-oslo-shop 1: shops-deployments-oslo-shop\n"+
		"Delete VariantsDeleted shops-deployments-lyon-shop 1: shops-deployments-lyon-shop", func() string { return w.events("PackageVariantSet") })
}

// events are those of a kind of objects, as action, reason, related object and note, sorted.
func (w *env) events(kind string) string {
	w.Helper()
	lines := strings.Split(w.kubectl("", "get", "events.events.k8s.io", "-o",
		`jsonpath={range .items[?(@.regarding.kind=="`+kind+`")]}{.action} {.reason} {.related.name} {.note}{"\n"}{end}`), "\n")
	slices.Sort(lines)
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// count is how often a JSONPath gives an x.
func (w *env) count(kind, path string) string {
	w.Helper()
	return strconv.Itoa(len(w.kubectl("", "get", kind, "-o", "jsonpath="+path)))
}

// TestLeader has two controllers of which one works, until it ends.
func TestLeader(t *testing.T) {
	w := newEnv(t)
	elect := func(o *manager.Options) {
		o.LeaderElection, o.LeaderElectionNamespace, o.Lease = true, system, "controller.waybill.dev"
		o.LeaseDuration, o.RenewDeadline, o.RetryPeriod = 3*time.Second, 2*time.Second, 200*time.Millisecond
	}
	stop := w.start(elect)
	holder := func() string {
		out, err := w.Kubectl(w, w.Admin(), "", "get", "leases", "-n", system, "-o", "jsonpath={.items[*].spec.holderIdentity}")
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	w.eventually("one of them leads", "true", func() string { return strconv.FormatBool(holder() != "") })
	w.start(elect)
	w.apply(w.objects["eu.yaml"])
	w.eventually("it works", good, func() string { return w.ready("packagevariant/eu") })
	was := holder()
	stop()
	w.apply(strings.Replace(w.objects["lyon.yaml"], "10.2", "10.3", 1))
	w.eventually("when it ends the other goes on, with all that is to be watched", "10.3.0.0/16", w.cidr(draft1))
	if now := holder(); now == was {
		t.Errorf("the lease is still held by %q", now)
	}
}
