package manager_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant/shard"
)

// TestShards has three controllers divide the objects of a namespace by labels, one of them with a second process: each object is
// worked on by one controller, and none is left out.
func TestShards(t *testing.T) {
	f := newFleet(t, []string{"eu", "fr"})
	f.put("shops", shops)
	f.label("packagevariant/eu", "a")
	f.label("packagevariantset/shops", "a")
	f.label("repository/blueprints", "a")
	const a, rest = shardKey + "=a", "!" + shardKey
	f.grantLeases(a, rest)
	idle := f.launchShard(shardKey+"=none", setup{})
	one := f.launchShard(a, setup{elect: true})
	set := shopOf("lyon")
	all := drafted("eu", "fr") + "\n" + well(set, "deployments.sites.lyon.packagevariant-1")
	f.await("the variant of the set is in the set's shard", "a", func() string {
		return f.get("packagevariant/"+set, `{.metadata.labels.sharding\.example\.com/key}`)
	})
	f.await("a controller works on its own", drafted("eu")+"\nfr\n"+well(set, "deployments.sites.lyon.packagevariant-1"), f.states)
	two := f.launchShard(rest, setup{elect: true})
	standby := f.launchShard(rest, setup{elect: true})
	f.await("no variant is left out", all, f.states)
	f.await("and Git holds what one controller would make", f.local.reconcile(), f.allRefs)
	for _, name := range []string{"blueprints", "deployments"} {
		f.await("each Repository is ready", "True", func() string { return f.conditionStatus("repository/" + name) })
	}
	if diff := cmp.Diff([]string{"packagevariants", "packagevariants/eu", "packagevariants/" + set, "packagevariantsets/shops", "repositories/blueprints"},
		one.wrote()); diff != "" {
		t.Errorf("the first writes its own objects (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"packagevariants/fr", "repositories/deployments"}, append(two.wrote(), standby.wrote()...)); diff != "" {
		t.Errorf("one process of the second writes the others (-want +got):\n%s", diff)
	}
	if writes := idle.wrote(); len(writes) > 0 || idle.steps > 0 {
		t.Errorf("a controller without objects reads no Git server and writes nothing; it read %d times and wrote %q", idle.steps, writes)
	}
	two.end()
	f.put("fr", f.variant("fr")+"  packageContext:\n    data:\n      region: emea\n")
	f.await("the second process takes over its shard", f.local.reconcile(), f.allRefs)
	for _, p := range []*shardProcess{standby, one, idle} {
		p.end()
	}
	f.settled(f.launch(setup{}), all)
}

// TestNumberedShards has names divide the objects of a namespace between two controllers, and then between three: nothing is made twice,
// and nothing is deleted.
func TestNumberedShards(t *testing.T) {
	sites := []string{"eu", "fr", "jp", "nz", "uk", "za"}
	f := newFleet(t, sites)
	f.put("shops", shops)
	all := drafted(sites...)
	set := shopOf("lyon")
	all = strings.Replace(all, "\nuk;", "\n"+well(set, "deployments.sites.lyon.packagevariant-1")+"\nuk;", 1)
	running := f.launchNumbered(2, false)
	f.await("no variant is left out", all, f.states)
	f.await("and Git holds what one controller would make", f.local.reconcile(), f.allRefs)
	f.disjoint(running, sites)
	running = append(running, f.launchNumbered(3, false)...) // as while a rollout changes the number
	for _, p := range running[:2] {
		p.end()
	}
	f.put("fr", f.variant("fr")+"  packageContext:\n    data:\n      region: emea\n")
	f.await("another one follows", f.local.reconcile(), f.allRefs)
	f.await("and all are well", all, f.states)
	for _, p := range running[2:] {
		p.end()
	}
	f.settled(f.launch(setup{}), all)
}

// TestShardsByNamespace has one of two controllers work on all of a namespace, with a budget for all of its variants, and the other read
// no Git server.
func TestShardsByNamespace(t *testing.T) {
	f := newFleet(t, []string{"eu", "fr"})
	f.put("budget", "apiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata:\n  name: all\nspec:\n  maxObjects: 30\n")
	running := f.launchNumbered(2, true)
	f.await("all are drafted", drafted("eu", "fr"), f.states)
	f.await("the budget is for one controller", "True Valid: checked in every reconcile", func() string { return f.ready("changebudget/all") })
	idle := 0
	for _, p := range running {
		if writes := p.wrote(); len(writes) == 0 && p.steps == 0 {
			idle++
		}
		p.end()
	}
	if idle != 1 {
		t.Errorf("%d of two controllers read no Git server and wrote nothing", idle)
	}
	f.settled(f.launch(setup{}), drafted("eu", "fr"))
}

// TestNumberedShardsBudget has a budget for variants that names divide: nothing changes, and the message says what to do.
func TestNumberedShardsBudget(t *testing.T) {
	f := newFleet(t, []string{"eu", "fr", "jp", "nz", "uk", "za"})
	f.apply("apiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata:\n  name: all\nspec:\n  maxObjects: 300\n")
	f.launchNumbered(2, false)
	f.await("the budget says why", "False SeveralShards: it applies to PackageVariants of several shards, and each controller counts only its own changes: "+
		"give the controllers --shard-by namespace, or divide by labels", func() string { return f.ready("changebudget/all") })
	if refs := f.refs(); refs != "" {
		t.Errorf("drafts in spite of that: %s", refs)
	}
}

// launchNumbered starts a controller of each of the shards into which names divide the objects.
func (f *fleet) launchNumbered(count int, byNamespace bool) (all []*shardProcess) {
	f.Helper()
	for i := range count {
		all = append(all, f.launchPart(shard.Shard{Number: i + 1, Count: count, ByNamespace: byNamespace}, setup{}))
	}
	return all
}

// disjoint wants each variant written by one controller, and some by each.
func (f *fleet) disjoint(running []*shardProcess, sites []string) {
	f.Helper()
	var all []string
	for _, p := range running {
		var own []string
		for _, object := range p.wrote() {
			if name, is := strings.CutPrefix(object, "packagevariants/"); is && slices.Contains(sites, name) {
				own = append(own, name)
			}
		}
		if len(own) == 0 {
			f.Error("a controller has no variants")
		}
		all = append(all, own...)
	}
	if slices.Sort(all); !slices.Equal(all, sites) {
		f.Errorf("want each of %v written by one controller, got %v", sites, all)
	}
}

// TestShardMove moves a variant to another controller while the first is in the middle of a push: both do the same, it is done
// once, and only the second reports.
func TestShardMove(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		step   gitrepo.Step
		change string // of its spec, meanwhile
		unsite bool   // what is injected is deleted meanwhile
	}{
		"before the push":             {"the push of the first fails, and only it knows", gitrepo.StepVerified, "", false},
		"after the push":              {"the first has made the draft", gitrepo.StepAccepted, "", false},
		"before the push, and change": {"what the first pushes is no longer wanted", gitrepo.StepVerified, "  packageContext:\n    data:\n      region: emea\n", false},
		"other context":               {"the first injected what is gone", gitrepo.StepAccepted, "", true},
		"after the push, and change":  {"the second updates what the first made", gitrepo.StepAccepted, "  packageContext:\n    data:\n      region: emea\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t, []string{"eu", "fr"})
			f.label("packagevariant/eu", "a")
			g := newGate(tc.step)
			one := f.launchShard(shardKey+"=a", setup{gate: g, tune: func(o *manager.Options) { o.OnStep = g.onStep }})
			f.hold(g)
			one.clear()
			two := f.launchShard("!"+shardKey, setup{})
			f.label("packagevariant/eu", "")
			f.await("the second does what the first has not told", drafted("eu", "fr"), f.states)
			f.local.reconcile()
			f.put("eu", f.variant("eu")+tc.change)
			if tc.unsite {
				f.kubectl("", "delete", "site/lyon")
				f.local.forget("lyon.yaml")
				f.await("the second cannot inject", "False", func() string { return strings.Split(f.injected(), ":")[0] })
			}
			f.await("and what is new: "+tc.reason, f.local.reconcile(), f.allRefs)
			before := f.written()
			g.let()
			passed := func(more int) func() string {
				return func() string {
					variants, _ := one.passed()
					return strconv.FormatBool(variants > more)
				}
			}
			f.await("the first ends its pass", "true", passed(0))
			f.label("packagevariant/fr", "a")
			f.await("it works on what is its own by now", "true", passed(1))
			for _, path := range one.wrote() {
				if strings.Contains(path, "/eu") {
					t.Errorf("the first reports on the variant of the second: %s", path)
				}
			}
			delete(before, "*porchconfig.PackageVariant fr") // it has another label
			after := f.written()
			for object, version := range before {
				if after[object] != version && !strings.Contains(object, "Event") {
					t.Errorf("%s was written again", object)
				}
			}
			if got := f.injected(); strings.HasPrefix(got, "False") != tc.unsite {
				t.Errorf("what the second says of injection stays, got %q", got)
			}
			two.end()
			f.settled(one.process, drafted("eu", "fr"))
		})
	}
}

// TestShardMoveOfSet moves a set with its variants: the new controller relabels them, and nothing changes in Git.
func TestShardMoveOfSet(t *testing.T) {
	f := newFleet(t, nil)
	f.put("shops", shops)
	f.label("packagevariantset/shops", "a")
	one, two := f.launchShard(shardKey+"=a", setup{}), f.launchShard("!"+shardKey, setup{})
	set := shopOf("lyon")
	all := well(set, "deployments.sites.lyon.packagevariant-1")
	f.await("a set and its variant", all, f.states)
	refs := f.allRefs()
	one.clear()
	two.clear()
	f.label("packagevariantset/shops", "")
	f.await("the variant follows its set", "", func() string {
		return f.get("packagevariant/"+set, `{.metadata.labels.sharding\.example\.com/key}`)
	})
	f.label("packagevariant/"+set, "a")
	f.await("also against a label that is put on it by hand", "", func() string {
		return f.get("packagevariant/"+set, `{.metadata.labels.sharding\.example\.com/key}`)
	})
	if diff := cmp.Diff([]string{"packagevariants/" + set}, withoutRepositories(two.wrote())); diff != "" {
		t.Errorf("the second relabels the variant, and no more (-want +got):\n%s", diff)
	}
	if writes := withoutRepositories(one.wrote()); len(writes) > 0 {
		t.Errorf("the first writes %q", writes)
	}
	if now := f.allRefs(); now != refs {
		t.Errorf("Git is changed; before:\n%s\nnow:\n%s", refs, now)
	}
	f.kubectl("", "delete", "packagevariantset/shops")
	f.local.forget("shops")
	f.kubectl("", "delete", "packagevariant/"+set, "--timeout=20s")
	f.await("the second retires what the first made", "", f.refs)
	one.end()
	two.end()
}

// TestShardBudget has a budget for variants of two controllers, which cannot know what the other changes: nothing changes until
// each has a budget of its own.
func TestShardBudget(t *testing.T) {
	f := newFleet(t, []string{"eu", "fr"})
	f.label("packagevariant/eu", "a")
	const budget = "apiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata:\n  name: NAME\nspec:\n  maxObjects: 3\n"
	f.apply(strings.Replace(budget, "NAME", "all", 1))
	f.launchShard(shardKey+"=a", setup{})
	f.launchShard("!"+shardKey, setup{})
	const why = "it applies to PackageVariants of several shards, and each controller counts only its own changes: have spec.selector also select by " +
		"the label of one shard, and make one budget for each shard"
	for _, name := range []string{"eu", "fr"} {
		f.await("neither changes anything", `False BudgetExceeded: change budget "all": `+why, func() string { return f.ready("packagevariant/" + name) })
	}
	f.await("the budget says why", "False SeveralShards: "+why, func() string { return f.ready("changebudget/all") })
	f.apply(strings.Replace(budget, "NAME", "all", 1)+"  selector:\n    matchLabels:\n      "+shardKey+": a\n",
		strings.Replace(budget, "NAME", "rest", 1)+"  selector:\n    matchExpressions:\n    - {key: "+shardKey+", operator: DoesNotExist}\n")
	f.await("with a budget for each, both go on", drafted("eu", "fr"), f.states)
	for _, name := range []string{"all", "rest"} {
		f.await("and the budgets are well", "True Valid: checked in every reconcile", func() string { return f.ready("changebudget/" + name) })
	}
}

func withoutRepositories(objects []string) []string {
	return slices.DeleteFunc(objects, func(object string) bool { return strings.HasPrefix(object, "repositories/") })
}
