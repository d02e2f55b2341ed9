package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/ocmtest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// release releases the blueprint as it is now, approves the draft that follows, and tells Flux.
func (d *delivery) release() {
	d.Helper()
	draft := d.propose()
	d.awaitDraft(draft)
	d.publish(draft)
	d.flux.Request(d)
}

// propose releases the blueprint as it is now, for the PackageVariant, and returns the name of the draft that is to follow.
func (d *delivery) propose() (draft string) {
	d.Helper()
	d.releases++
	files := map[string]*string{"shop/aaa.yaml": nil}
	for name, text := range d.Files() {
		files["shop/"+name] = &text
	}
	gittest.Commit(d, d.blueprints, gittest.Change{Files: files, Tag: fmt.Sprintf("shop/v%d", d.releases),
		Message: fmt.Sprintf("release %d\n", d.releases), When: gittest.Epoch.Add(time.Duration(d.releases) * time.Minute)})
	d.kubectl(fmt.Sprintf(deliveryVariant, d.releases), "apply", "-f", "-")
	return fmt.Sprintf("deployments.shop.packagevariant-%d", d.releases)
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

// awaitDraft waits until a draft is there.
func (d *delivery) awaitDraft(name string) {
	d.Helper()
	d.eventually("a draft "+name, func() string {
		if r := d.rpkg("get", name); r.code != exitDone || !strings.Contains(r.stdout, "Draft") {
			return r.stdout + r.stderr + d.kubectl("", "get", "packagevariants", "-n", "fleet", "-o", "jsonpath={.items[*].status}")
		}
		return ""
	})
}

// publish approves a draft. It repeats a command that was interrupted before it had done its part.
func (d *delivery) publish(name string) {
	d.Helper()
	for _, v := range []struct{ verb, then string }{{"propose", "Proposed"}, {"approve", "Published"}} {
		done := func() bool { return false }
		if d.interrupt != nil {
			d.interrupt(d.rpkgLine(v.verb, name))
			done = func() bool {
				r := d.rpkg("get", name)
				return r.code == exitDone && strings.Contains(r.stdout, v.then)
			}
		}
		if done() {
			continue
		}
		// The server may finish the push of a client that was killed only now: then the command is refused.
		if r := d.rpkg(v.verb, name); r.code != exitDone && !done() {
			d.Fatalf("rpkg %s: exit code %d\n%s%s", v.verb, r.code, r.stdout, r.stderr)
		}
	}
}

func (d *delivery) rpkg(verb, name string) cliRun {
	d.Helper()
	return runCLI(d, d.rpkgLine(verb, name)...)
}

func (d *delivery) rpkgLine(verb, name string) []string {
	return []string{"rpkg", verb, "--kubeconfig", d.kubeconfig, "-n", "fleet", name}
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
