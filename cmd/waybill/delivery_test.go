package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/fluxtest"
	"github.com/waybill-dev/waybill/controllers/ocmtest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// delivery is the whole loop: a blueprint, a controller, a deployment repository, Flux, a hub, and two clusters with their agents.
type delivery struct {
	testing.TB
	*ocmtest.Fleet
	hub                     *ocmtest.Hub
	flux                    *fluxtest.Flux
	near, far               *ocmtest.Member
	uids                    []*ocmtest.Identities // of both
	kubeconfig              string                // of the hub
	blueprints, deployments string                // bare repositories
	releases                int
	controllers             []*process
}

// TestDelivery leads a fleet through its life with the parts that users run. After every step all works are applied, each object that
// stays has the uid that it had, and the status of the clusters is on the hub, in Git and in what the command prints.
func TestDelivery(t *testing.T) {
	testenv.Need(t, testenv.Git, testenv.APIServer, testenv.OCM, testenv.Flux)
	d := newDelivery(t)
	for _, s := range deliverySteps {
		began := time.Now()
		d.do(s.change)
		d.release()
		d.do(s.meanwhile)
		d.arrive()
		for i, want := range []string{s.near, s.far} {
			if got := changes(d.uids[i].Compare(t, append(d.near.Works(t), d.far.Works(t)...))); got != want {
				t.Errorf("%s: %s: want the uids %q, got %q", s.name, []string{"near", "far"}[i], want, got)
			}
		}
		d.do(s.after)
		d.reports(s.name, s.ready)
		t.Logf("%s: %s", s.name, time.Since(began).Round(100*time.Millisecond))
	}
	d.rests()
	for _, p := range d.controllers {
		if code := p.end(); code != exitDone {
			t.Errorf("a controller ended with %d:\n%s", code, &p.log)
		}
	}
}

// do does a part of a step, if the step has it.
func (d *delivery) do(part func(*delivery)) {
	if part != nil {
		part(d)
	}
}

// changes are the numbers of objects, in words; those that were deleted and created are named.
func changes(c ocmtest.Changes) string {
	var words []string
	for _, s := range []struct {
		word  string
		names []string
	}{{"kept", c.Kept}, {"new", c.New}, {"gone", c.Gone}} {
		if len(s.names) > 0 {
			words = append(words, fmt.Sprintf("%d %s", len(s.names), s.word))
		}
	}
	for _, name := range c.Recreated {
		words = append(words, "deleted and created: "+name)
	}
	return strings.Join(words, ", ")
}

const (
	deliveryCollector = `apiVersion: control.kubestellar.io/v1alpha1
kind: StatusCollector
metadata: {name: ready}
spec:
  select:
  - {name: cluster, def: inventory.name}
  - {name: ready, def: "has(returned.status.readyReplicas) ? returned.status.readyReplicas : 0"}
  limit: 20
`
	deliveryRepository = `---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: %s, namespace: %s}
spec: {type: git, deployment: %t, git: {repo: %q}}
`
	deliveryVariant = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: shop, namespace: fleet}
spec:
  upstream: {repo: blueprints, package: shop, revision: %d}
  downstream: {repo: deployments, package: shop}
`
)

func newDelivery(t *testing.T) *delivery {
	t.Helper()
	hub := ocmtest.SharedHub(t)
	d := &delivery{TB: t, hub: hub, Fleet: ocmtest.NewFleet("shop", "near", "far"), blueprints: gittest.NewBare(t), deployments: gittest.NewBare(t)}
	d.near, d.far = hub.Join(t, "near"), hub.Join(t, "far")
	d.uids = []*ocmtest.Identities{d.near.Identities(), d.far.Identities()}
	d.Texts["policy.yaml"] += "  - apiGroup: apps\n    resources: [deployments]\n    statusCollectors: [ready]\n"
	d.Texts["collectors/ready.yaml"] = deliveryCollector
	d.options()
	gittest.Commit(t, d.deployments, gittest.Change{Message: "The fleet begins\n"})

	hub.InstallCRDs(t, "../../controllers/manifests/crds")
	hub.InstallCRDs(t, "../../testdata/crds/combinedstatus/always")
	d.kubeconfig = hub.Kubeconfig(t, hub.Admin())
	url := gittest.NewHTTP(t, d.deployments)
	for _, namespace := range []string{"fleet", "results", d.Namespace} {
		d.kubectl("", "create", "namespace", namespace)
	}
	d.kubectl(fmt.Sprintf(deliveryRepository, "blueprints", "fleet", false, gittest.NewHTTP(t, d.blueprints))+
		fmt.Sprintf(deliveryRepository, "deployments", "fleet", true, url)+fmt.Sprintf(deliveryRepository, "deployments", "results", true, url),
		"apply", "-f", "-")
	d.controller("--status")
	d.controller("--namespace", "results", "--status", "--status-repository", "results/deployments", "--status-package", "shop", "--status-commit-interval", "1s")
	d.flux = fluxtest.Start(t, hub.Cluster)
	d.flux.Follow(t, url)
	return d
}

// controller starts waybill controller on the hub.
func (d *delivery) controller(flags ...string) {
	d.Helper()
	d.controllers = append(d.controllers, startProcess(d.TB.(*testing.T), append([]string{"controller", "--kubeconfig", d.kubeconfig, "--runtime", "inproc",
		"--poll-interval", "1s", "--log-format", "text"}, flags...)...))
}

// options are those of bundle-manifestwork from now on.
func (d *delivery) options(lines ...string) { d.Options(append(lines, "rollout: conditions")...) }

// release releases the blueprint as it is now, approves the draft that follows, and tells Flux.
func (d *delivery) release() {
	d.Helper()
	d.releases++
	files := map[string]*string{"shop/aaa.yaml": nil}
	for name, text := range d.Files() {
		files["shop/"+name] = &text
	}
	gittest.Commit(d, d.blueprints, gittest.Change{Files: files, Tag: fmt.Sprintf("shop/v%d", d.releases), Message: fmt.Sprintf("release %d\n", d.releases),
		When: gittest.Epoch.Add(time.Duration(d.releases) * time.Minute)})
	d.kubectl(fmt.Sprintf(deliveryVariant, d.releases), "apply", "-f", "-")
	d.approve(fmt.Sprintf("deployments.shop.packagevariant-%d", d.releases))
	d.flux.Request(d)
}

// published is the last commit of the main branch.
func (d *delivery) published() string { return gittest.Git(d, d.deployments, "rev-parse", "main") }

// arrive waits until the clusters have what was approved.
func (d *delivery) arrive() {
	d.Helper()
	d.flux.Await(d, d.published())
	d.near.AwaitApplied(d)
	d.far.AwaitApplied(d)
}

// approve publishes a draft as soon as it is there.
func (d *delivery) approve(name string) {
	d.Helper()
	d.eventually("a draft "+name, func() string {
		if r := d.rpkg("get", name); r.code != exitDone || !strings.Contains(r.stdout, "Draft") {
			return r.stdout + r.stderr + d.kubectl("", "get", "packagevariants", "-n", "fleet", "-o", "jsonpath={.items[*].status}")
		}
		return ""
	})
	for _, verb := range []string{"propose", "approve"} {
		if r := d.rpkg(verb, name); r.code != exitDone {
			d.Fatalf("rpkg %s: exit code %d\n%s%s", verb, r.code, r.stdout, r.stderr)
		}
	}
}

func (d *delivery) rpkg(verb, name string) cliRun {
	d.Helper()
	return runCLI(d, "rpkg", verb, "--kubeconfig", d.kubeconfig, "-n", "fleet", name)
}

// eventually waits until wrong is empty.
func (d *delivery) eventually(want string, wrong func() string) {
	d.Helper()
	said := wrong()
	for deadline := time.Now().Add(time.Minute); said != "" && time.Now().Before(deadline); said = wrong() {
		time.Sleep(100 * time.Millisecond)
	}
	if said != "" {
		d.Fatalf("want %s, got %s\ncontrollers' logs:\n%s\n%s", want, said, &d.controllers[0].log, &d.controllers[1].log)
	}
}

func (d *delivery) kubectl(input string, args ...string) string {
	d.Helper()
	out, err := d.hub.Kubectl(d, d.hub.Admin(), input, args...)
	if err != nil {
		d.Fatal(err, out)
	}
	return out
}

// rests has Flux apply everything again, which changes no work.
func (d *delivery) rests() {
	d.Helper()
	versions := func() (all []string) {
		for _, w := range append(d.near.Works(d), d.far.Works(d)...) {
			all = append(all, w.GetNamespace()+"/"+w.GetName()+" "+w.GetResourceVersion())
		}
		return all
	}
	before := versions()
	d.flux.Reapply(d)
	if diff := cmp.Diff(before, versions()); diff != "" || len(before) == 0 {
		d.Errorf("nothing changed, and works did (-before +after):\n%s", diff)
	}
}

// has waits until the Deployment of a cluster has an image.
func (d *delivery) has(m *ocmtest.Member, image string) {
	d.Helper()
	d.eventually(image+" on cluster "+m.Name, func() string {
		web := fmt.Sprint(m.Get(d, "apps/v1", "Deployment", d.Namespace, "web").Object["spec"])
		if !strings.Contains(web, "image:"+image+" ") {
			return web
		}
		return ""
	})
}

func (d *delivery) finished(job string) {
	d.Helper()
	if o := d.near.Get(d, "batch/v1", "Job", d.Namespace, job); !strings.Contains(fmt.Sprint(o.Object["status"]), "type:Complete") {
		d.Errorf("the Job is not complete any more: %v", o.Object["status"])
	}
}

// greets wants the text that a template makes for the cluster.
func (d *delivery) greets(m *ocmtest.Member) {
	d.Helper()
	if got := fmt.Sprint(m.Get(d, "v1", "ConfigMap", d.Namespace, "banner").Object["data"]); got != "map[text:welcome to "+m.Name+"]" {
		d.Errorf("cluster %q has %s", m.Name, got)
	}
}

// owned wants that many works to own the StatefulSet.
func (d *delivery) owned(m *ocmtest.Member, works int) {
	d.Helper()
	if got := ocmtest.Owners(m.Get(d, "apps/v1", "StatefulSet", d.Namespace, "db")); len(got) != works {
		d.Errorf("cluster %q: want %d owners, got %q", m.Name, works, got)
	}
}
