package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/porchtest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestPorchKilled kills Porch's API server, its controllers, and waybill's controller or commands, again and again while they
// draft, publish and upgrade packages of one repository. Then both list the same revisions, which are those of a run without
// kills, with the same files. Odd seeds have waybill's commands beside Porch's controllers, even ones waybill's controller.
func TestPorchKilled(t *testing.T) {
	want := map[bool]map[string]string{}
	for _, seed := range testenv.Seeds(t, 4) {
		commands := seed%2 == 1
		if want[commands] == nil {
			alive := func(t *testing.T) { want[commands] = killedFleet(t, commands, nil) }
			if !t.Run(fmt.Sprintf("no kills/commands=%t", commands), alive) {
				return
			}
		}
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			got := killedFleet(t, commands, rand.New(rand.NewPCG(seed, 23))) // #nosec G404 -- a case to repeat
			if diff := cmp.Diff(want[commands], got); diff != "" {
				t.Errorf("(-without kills +with kills):\n%s", diff)
			}
		})
	}
}

// porchKiller is a fleet in which programs are killed.
type porchKiller struct {
	*porchFleet
	random     *rand.Rand // nil without kills
	waybill    string
	controller *process // nil with commands
	names      []string // of the packages
	killed     []string // programs

	mu      sync.Mutex
	command *exec.Cmd // that runs now
	said    bytes.Buffer
}

// killedFleet drafts and publishes two revisions of two packages, and returns all files of all published revisions.
func killedFleet(t *testing.T, commands bool, random *rand.Rand) map[string]string {
	t.Helper()
	k := &porchKiller{porchFleet: newPorchFleet(t), random: random, waybill: filepath.Join(buildWaybill(t), "waybill"), names: []string{"ours", "theirs"}}
	k.create(porchContext)
	k.await("blueprints.shop.v1", "Published")
	if commands {
		k.StartControllers(t)
	} else {
		k.kubectl("apply", "-k", besidePorch(t))
		k.startController()
	}
	text := strings.Replace(porchApp, "hello", "good day", 1)
	for n := 1; n <= 2; n++ {
		k.want(n, commands)
		k.until("are drafted", k.drafts, fmt.Sprintf("packagevariant-%d", n), "Draft", "Proposed", "Published")
		k.settled(n, commands)
		k.until("are published", k.publishes(n), fmt.Sprintf("packagevariant-%d", n), "Published")
		k.release(2, map[string]*string{"shop/app.yaml": &text})
	}
	t.Logf("killed: %v", k.killed)
	if random != nil && len(k.killed) < 4 {
		t.Error("these are too few")
	}
	k.listedAlike()
	gittest.Fsck(t, k.deployments)
	return k.published()
}

func (k *porchKiller) startController() {
	k.controller = startProcess(k, "controller", "--kubeconfig", k.Kubeconfig(k, k.Admin()), "--namespace", k.namespace, "--poll-interval", "1s",
		"--runtime", "inproc", "--notify-porch", "--log-format", "text")
}

// want makes the variants of a revision: with commands, one is in files for waybill and one in the cluster for Porch.
func (k *porchKiller) want(n int, commands bool) {
	k.Helper()
	k.await(fmt.Sprintf("blueprints.shop.v%d", n), "Published")
	for _, name := range k.names {
		text := strings.NewReplacer("revision: 1", fmt.Sprintf("workspaceName: v%d", n), "eu/shop", "eu/"+name, "name: eu,", "name: "+name+",").Replace(porchVariant)
		if commands && name == "ours" {
			k.write("ours.yaml", text)
		} else {
			k.create(text)
		}
	}
}

// until acts, with kills meanwhile, until all packages have a revision with one of the lifecycles.
func (k *porchKiller) until(what string, act func(), workspace string, lifecycles ...string) {
	k.Helper()
	const kills, patience, longest = 2, 10 * time.Second, 2 * time.Minute
	for began, changed, n := time.Now(), time.Now(), 0; ; n++ {
		is := k.lifecycles()
		if !slices.ContainsFunc(k.names, func(name string) bool {
			return !slices.Contains(lifecycles, is["deployments.eu."+name+"."+workspace])
		}) {
			return
		}
		if time.Since(changed) > patience {
			k.changeRefs()
			changed = time.Now()
		}
		if time.Since(began) > longest {
			revs, err := k.Revisions(k, k.namespace)
			k.Fatalf("the packages are not as they should be (%s): waybill lists %v; Porch %v %v; the last command said\n%s", what, is, porchtest.Lifecycles(revs), err, &k.said)
		}
		restart := func() {}
		if k.random != nil && n < kills {
			restart = k.kill()
		}
		act()
		restart()
		time.Sleep(100 * time.Millisecond)
	}
}

// settled waits until Porch's controllers have put into a draft what its variant wants. They push to the branch of a draft also if
// it was proposed meanwhile: then there are a draft and a proposal of one name.
func (k *porchKiller) settled(n int, commands bool) {
	k.Helper()
	want := fmt.Sprintf("deployments.eu.theirs.packagevariant-%d", n)
	for began := time.Now(); commands && k.get("packagevariant/theirs", "{.status.downstreamTargets[*].name}") != want; time.Sleep(200 * time.Millisecond) {
		if time.Since(began) > 2*time.Minute {
			k.Fatalf("Porch's controllers do not finish %s: %s", want, k.get("packagevariant/theirs", "{.status}"))
		}
	}
}

// kill kills one program after a while, and returns what waits for that and starts the program again.
func (k *porchKiller) kill() (restart func()) {
	name, die, start := k.victim()
	k.killed = append(k.killed, name)
	killed := make(chan struct{})
	time.AfterFunc(time.Duration(k.random.IntN(1500))*time.Millisecond, func() { defer close(killed); die() })
	return func() { <-killed; start() }
}

func (k *porchKiller) victim() (name string, die, start func()) {
	switch server := k.random.IntN(2) == 0; {
	case server:
		return "porch-server", k.KillServer, func() { k.StartServer(k) }
	case k.controller != nil:
		return "waybill controller", func() { _ = k.controller.cmd.Process.Kill() }, k.startController
	case k.random.IntN(2) == 0:
		return "porch-controllers", k.KillControllers, func() { k.RestartControllers(k) }
	}
	return "waybill", k.killCommand, func() {}
}

// killCommand kills the command that runs now.
func (k *porchKiller) killCommand() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.command != nil {
		_ = k.command.Process.Kill()
	}
}

// run runs a command of waybill, which may be killed.
func (k *porchKiller) run(args ...string) {
	k.mu.Lock()
	k.command = exec.Command(k.waybill, args...) // #nosec G204 -- a test's own arguments
	k.said.Reset()
	k.command.Stdout, k.command.Stderr = &k.said, &k.said
	err := k.command.Start()
	k.mu.Unlock()
	if err != nil {
		k.Fatal(err)
	}
	_ = k.command.Wait() // the repository shows what it did
}

// drafts has waybill draft what it wants.
func (k *porchKiller) drafts() {
	if k.controller == nil {
		k.run("reconcile", "-f", k.dir)
	}
}

// publishes has Porch publish the first revisions, and waybill the second ones, as far as they can now.
func (k *porchKiller) publishes(n int) func() {
	return func() {
		revs, err := k.Revisions(k, k.namespace)
		for _, name := range k.names {
			full := fmt.Sprintf("deployments.eu.%s.packagevariant-%d", name, n)
			if n == 2 {
				k.run("rpkg", "propose", "-f", k.dir, full)
				k.run("rpkg", "approve", "-f", k.dir, full)
			} else if to := map[string]string{"Draft": "Proposed", "Proposed": "Published"}[revs[full].Lifecycle]; err == nil && to != "" {
				_ = k.SetLifecycle(k, revs[full], to) // its server may be killed
			}
		}
	}
}

// listedAlike waits until Porch lists what waybill lists.
func (k *porchKiller) listedAlike() {
	k.Helper()
	diff := ""
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		revs, err := k.Revisions(k, k.namespace)
		if diff = cmp.Diff(porchtest.Lifecycles(revs), k.lifecycles()); diff == "" && err == nil {
			return
		}
	}
	k.Errorf("(-Porch +waybill):\n%s", diff)
}

// published are the files of all published revisions, without the addresses of their upstream, which each fleet has its own of.
func (k *porchKiller) published() map[string]string {
	k.Helper()
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/\S+`)
	files := map[string]string{}
	for tag := range strings.Lines(gittest.Git(k, k.deployments, "tag", "--list", "eu/*")) {
		tag = strings.TrimSpace(tag)
		folder := tag[:strings.LastIndexByte(tag, '/')]
		for file := range strings.Lines(gittest.Git(k, k.deployments, "ls-tree", "-r", "--name-only", tag, folder+"/")) {
			file = strings.TrimSpace(file)
			files[tag+": "+file] = address.ReplaceAllString(gittest.Git(k, k.deployments, "show", tag+":"+file), "URL")
		}
	}
	return files
}
