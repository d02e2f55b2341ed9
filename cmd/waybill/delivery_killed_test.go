package main

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/fluxtest"
	"github.com/waybill-dev/waybill/controllers/ocmtest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// killedSteps are a walk that ends where it begins.
var killedSteps = []deliveryStep{
	{name: "an image changes and an object comes", near: "8 kept, 1 new", far: "8 kept, 1 new", ready: "far=1 near=1",
		change: func(d *delivery) {
			d.Replace(d, "web:1", "web:2")
			d.Add("aaa.yaml", "v1", "ConfigMap", "aaa", "data: {key: value}\n")
		}},
	{name: "the object goes", near: "8 kept, 1 gone", far: "8 kept, 1 gone", ready: "far=1 near=1",
		change: func(d *delivery) { delete(d.Texts, "aaa.yaml") }},
	{name: "a cluster leaves", near: "8 kept", far: "8 kept", ready: "near=1",
		change: func(d *delivery) {
			d.options("whenClusterLeaves: orphan")
			d.Replace(d, "site: edge # far", "site: none # far")
		}},
	{name: "the leave is finished", near: "8 kept", far: "8 kept", ready: "near=1",
		change: func(d *delivery) { d.options("whenClusterLeaves: orphan", "handOver: finish") },
		after:  func(d *delivery) { d.owned(d.far, 0) }},
	{name: "the cluster joins with the first image", near: "8 kept", far: "8 kept", ready: "far=1 near=1",
		change: func(d *delivery) {
			d.options()
			d.Replace(d, "web:2", "web:1")
			d.Replace(d, "site: none # far", "site: edge # far")
		},
		after: func(d *delivery) { d.has(d.far, "web:1"); d.owned(d.far, 1) }},
}

// TestDeliveryKilled walks once undisturbed, and then by each seed with one process after another killed at random moments. Every
// step ends with the same objects on the clusters, works on the hub and commits in Git.
func TestDeliveryKilled(t *testing.T) {
	testenv.Need(t, testenv.Git, testenv.APIServer, testenv.OCM, testenv.Flux)
	t.Parallel()
	d := newDelivery(t)
	d.step(deliveryStep{name: "both clusters", near: "8 new", far: "8 new", ready: "far=1 near=1",
		change: func(d *delivery) { d.Replace(d, "site: none", "site: edge") },
		after: func(d *delivery) {
			for _, m := range []*ocmtest.Member{d.near, d.far} {
				m.BindClaim(d, d.Namespace, "data")
				m.RunPods(d, d.Namespace, "web")
			}
		}})
	d.before = d.published()
	want := d.walk(func(s deliveryStep) deliveryStep { return s })
	for _, seed := range testenv.Seeds(t, 2) {
		t.Logf("WAYBILL_SEED=%d repeats this walk:", seed)
		k := &deliveryKiller{delivery: d, test: t, random: moments{rand.New(rand.NewPCG(seed, 0))}} // #nosec G404 -- to repeat it
		commands := moments{rand.New(rand.NewPCG(seed, 1))}                                         // #nosec G404
		d.interrupt = func(args []string) { commands.interrupt(t, args) }
		if diff := cmp.Diff(want, d.walk(k.disturb)); diff != "" {
			t.Fatalf("not what an undisturbed walk ends with (-want +got):\n%s", diff)
		}
	}
	d.rests()
	d.end()
}

// walk goes through all steps, and returns what there is after each.
func (d *delivery) walk(with func(deliveryStep) deliveryStep) (all []deliveryState) {
	d.Helper()
	for _, s := range killedSteps {
		d.step(with(s))
		all = append(all, d.state(s))
	}
	return all
}

// deliveryKiller kills processes of the loop by SIGKILL, and starts them again.
type deliveryKiller struct {
	*delivery
	test   *testing.T
	random moments
	next   []victim // each is killed before any is killed again
}

// victim is a process that a deliveryKiller kills.
type victim struct {
	name   string
	kill   func()
	resume func(testing.TB)
}

func (d *delivery) victims() (all []victim) {
	for i, flags := range deliveryControllers {
		all = append(all, victim{"waybill controller " + flags[0], func() { d.controllers[i].kill() },
			func(testing.TB) { d.controllers[i] = d.controller(flags...) }})
	}
	for _, name := range fluxtest.Controllers {
		all = append(all, victim{name, func() { d.flux.Stop(name) }, func(t testing.TB) { d.flux.Resume(t, name) }})
	}
	for _, m := range []*ocmtest.Member{d.near, d.far} {
		all = append(all, victim{"the agent of " + m.Name, m.Offline, m.Online})
	}
	return all
}

// disturb adds kills to a step, from its release on. The step waits for its end only after them.
func (k *deliveryKiller) disturb(s deliveryStep) deliveryStep {
	change := s.change
	kills := make(chan struct{})
	s.change = func(d *delivery) {
		change(d)
		go func() {
			defer close(kills)
			k.test.Run("kills while "+s.name, k.kills)
		}()
		d.Cleanup(func() { <-kills })
	}
	s.meanwhile = func(*delivery) { <-kills }
	return s
}

// killsPerStep is how many processes die in a step.
const killsPerStep = 4

func (k *deliveryKiller) kills(t *testing.T) {
	for range killsPerStep {
		if len(k.next) == 0 {
			k.next = k.victims()
			k.random.Shuffle(len(k.next), func(i, j int) { k.next[i], k.next[j] = k.next[j], k.next[i] })
		}
		v := k.next[0]
		k.next = k.next[1:]
		k.random.sleep(1500 * time.Millisecond)
		v.kill()
		t.Logf("killed %s", v.name)
		k.random.sleep(300 * time.Millisecond)
		v.resume(t)
	}
}

// moments are random.
type moments struct{ *rand.Rand }

func (m moments) sleep(longest time.Duration) { time.Sleep(time.Duration(m.Int64N(int64(longest)))) }

// interrupt runs a command line and kills it.
func (m moments) interrupt(t *testing.T, args []string) {
	t.Helper()
	p := startProcess(t, args...)
	m.sleep(300 * time.Millisecond)
	p.kill()
	t.Logf("killed waybill %s %s, which said %q", args[0], args[1], p.log.String())
}
