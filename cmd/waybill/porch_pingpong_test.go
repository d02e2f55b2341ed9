package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// contestedVariants are worked by both controllers: the pairs replace texts of porchVariant. On those that begin with "agreed" both
// agree, and either may find everything done.
var contestedVariants = map[string][]string{
	"agreed":          {"revision: 1", "workspaceName: v1", "spec:", "spec:\n  adoptionPolicy: adoptExisting"},
	"agreed-released": {"revision: 1", "workspaceName: v1", "spec:", "spec:\n  adoptionPolicy: adoptExisting"}, // as soon as it is drafted
	"upstream":        {"spec:", "spec:\n  adoptionPolicy: adoptExisting"},                                     // Porch ignores the revision
	"released":        {"spec:", "spec:\n  adoptionPolicy: adoptExisting"},                                     // that, published
	"none":            {},                                                                                      // neither adopts
}

func contestedVariant(name string, step int) string {
	text := strings.NewReplacer(contestedVariants[name]...).Replace(porchVariant)
	text = strings.NewReplacer("name: eu,", "name: "+name+",", "eu/shop", name+"/shop", "region: eu", fmt.Sprintf("step: %q", fmt.Sprint(step))).Replace(text)
	return "---\n" + text + "  pipeline: {mutators: [{name: ns, image: gcr.io/kpt-fn/set-namespace:v0.4.1, configMap: {namespace: eu}}]}\n"
}

// TestPorchPingPong has Waybill's controller and Porch's own work the same PackageVariants for two minutes, while the test changes
// them and publishes every draft of some. Commits are bounded, and each variant on which the controllers disagree names the other one.
func TestPorchPingPong(t *testing.T) {
	f := newPorchFleet(t)
	f.kubectl("apply", "-k", besidePorch(t))
	f.create(porchContext)
	f.await("blueprints.shop.v1", "Published")
	process := startProcess(t, "controller", "--kubeconfig", f.Kubeconfig(t, f.Admin()), "--namespace", f.namespace, "--poll-interval", "1s", "--runtime", "inproc",
		"--notify-porch", "--log-format", "text")
	f.StartControllers(t)
	const steps, changing, both = 4, time.Minute, 2 * time.Minute
	names, step, quietly := slices.Sorted(maps.Keys(contestedVariants)), 0, 0
	for began := time.Now(); time.Since(began) < both; time.Sleep(time.Second) {
		if step < steps && time.Since(began) >= changing*time.Duration(step)/steps {
			step++
			for _, name := range names {
				f.create(contestedVariant(name, step))
			}
		}
		f.publishAll("deployments.agreed-released.", "deployments.released.")
		if time.Since(began) < changing+20*time.Second {
			quietly = f.commits()
		}
	}
	// For each change of a variant Porch makes a draft, a commit with what is injected, and one for the approval, and Waybill one
	// before it sees the other, and one for the other's draft. Later each makes at most one, at the end of a pause.
	if most, made := 5*steps*len(names), f.commits(); made > most || made > quietly+2*len(names) {
		t.Errorf("%d commits, more than %d, or than two a variant since the last change, with %d:\n%s", made, most, quietly,
			gittest.Git(t, f.deployments, "log", "--all", "--format=%h %an %s %D"))
	}
	t.Logf("%d commits, %d of them while the variants changed", f.commits(), quietly)
	const who = `another controller works this PackageVariant: the field manager "porch-controllers" writes its status as well`
	for _, name := range names {
		said := f.get("packagevariant/"+name, "{.status.conditions[?(@.type=='Contested')].message}")
		if !strings.Contains(said, who) && !strings.HasPrefix(name, "agreed") {
			t.Errorf("%s says %q", name, said)
		}
	}
	if events := f.get("events", "{range .items[?(@.reason=='Contested')]}{.involvedObject.name} {.message}\n{end}"); strings.Count(events, who) < 3 {
		t.Errorf("events say\n%s", events)
	}
	if code := process.end(); code != exitDone || !strings.Contains(process.log.String(), "manager=porch-controllers") {
		t.Errorf("the controller ended with %d:\n%s", code, &process.log)
	}
	gittest.Fsck(t, f.deployments)
}

// commits counts the commits of the deployments.
func (f *porchFleet) commits() (n int) {
	f.Helper()
	if _, err := fmt.Sscan(gittest.Git(f, f.deployments, "rev-list", "--all", "--count"), &n); err != nil {
		f.Fatal(err)
	}
	return n
}

// publishAll has Porch propose and approve what starts with one of the names, as far as it can now.
func (f *porchFleet) publishAll(prefixes ...string) {
	f.Helper()
	revs, err := f.Revisions(f, f.namespace)
	if err != nil {
		f.Fatal(err)
	}
	for name, r := range revs {
		of := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		to := map[string]string{"Draft": "Proposed", "Proposed": "Published"}[r.Lifecycle]
		if to != "" && slices.ContainsFunc(prefixes, of) {
			_ = f.SetLifecycle(f, r, to) // another may have changed it meanwhile
		}
	}
}
