package local_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// scenarios are the ways in which a reconcile writes.
var scenarios = map[string]struct {
	reason  string
	arrange func(f *fleet)
}{
	"create": {"two drafts, a push each", func(f *fleet) {
		f.write("fr.yaml", replace(f, f.read("eu.yaml"), "name: eu\n", "name: fr\n", "eu/shop", "fr/shop"))
	}},
	"update": {"a commit on an open draft", func(f *fleet) {
		f.reconcile()
		f.edit("eu.yaml", "region: eu", "region: emea")
	}},
	"upgrade": {"a draft of a newer upstream", func(f *fleet) {
		f.reconcile()
		f.publish(first)
		f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
	}},
	"retire": {"a draft, and an old one that goes", func(f *fleet) {
		f.reconcile()
		f.edit("eu.yaml", "package: eu/shop", "package: emea/shop")
	}},
}

// crash is a fleet that is brought back to its beginning again and again.
type crash struct {
	*fleet
	server        *server // nil: the repositories are files
	before, final map[string]string
	steps         int
}

// newCrash arranges a scenario and runs it undisturbed.
func newCrash(t *testing.T, arrange func(*fleet), web bool) *crash {
	t.Helper()
	c := &crash{fleet: newFleet(t)}
	if web {
		c.server = newServer(t, c.root)
		c.edit("repositories.yaml", "../blueprints.git", c.server.URL+"/blueprints.git", "../deployments.git", c.server.URL+"/deployments.git")
	}
	arrange(c.fleet)
	if web {
		c.server.CloseClientConnections() // those of this process
	}
	if err := os.CopyFS(c.path("beginning"), os.DirFS(c.path("deployments.git"))); err != nil {
		t.Fatal(err)
	}
	c.before = refMap(c.refs())
	c.steps = c.finish("undisturbed")
	if c.final = refMap(c.refs()); cmp.Equal(c.before, c.final) {
		t.Fatal("the scenario writes nothing")
	}
	return c
}

// begin brings the downstream repository back to the beginning.
func (c *crash) begin() {
	c.Helper()
	if err := os.RemoveAll(c.path("deployments.git")); err != nil {
		c.Fatal(err)
	}
	if err := os.CopyFS(c.path("deployments.git"), os.DirFS(c.path("beginning"))); err != nil {
		c.Fatal(err)
	}
}

// finish reconciles in a process of its own, which must succeed, and returns how many steps it took.
func (c *crash) finish(reason string) int {
	c.Helper()
	p := c.start(0)
	if err := p.wait(); err != nil {
		c.Fatalf("%s: %v\n%s", reason, err, p.stderr.String())
	}
	c.settle(p)
	var steps int
	if _, err := fmt.Sscan(p.stdout.String(), &steps); err != nil {
		c.Fatal(err)
	}
	return steps
}

// checkWhole wants every ref as it was before or as it is in the end, and Git to find nothing wrong.
// It returns whether any ref has moved.
func (c *crash) checkWhole(when string) (moved bool) {
	c.Helper()
	gittest.Fsck(c, c.path("deployments.git"))
	now := refMap(c.refs())
	for name := range merged(c.before, c.final, now) {
		if id := now[name]; id != c.before[name] && id != c.final[name] {
			c.Errorf("%s: %s is at %q: neither %q as before nor %q as in the end", when, name, id, c.before[name], c.final[name])
		}
	}
	return !cmp.Equal(c.before, now)
}

// checkMended reconciles once more and wants what an undisturbed run gives.
func (c *crash) checkMended(when string) {
	c.Helper()
	c.finish(when + ": reconcile again")
	gittest.Fsck(c, c.path("deployments.git"))
	if diff := cmp.Diff(c.final, refMap(c.refs())); diff != "" {
		c.Errorf("%s: reconciled again, it is not as undisturbed (-undisturbed +mended):\n%s", when, diff)
	}
}

// TestKilledAtEveryStep kills a reconcile with SIGKILL at every step that Git passes.
func TestKilledAtEveryStep(t *testing.T) {
	for name, s := range scenarios {
		for _, web := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s web=%v", name, web), func(t *testing.T) {
				t.Parallel()
				c := newCrash(t, s.arrange, web)
				unmoved, moved := 0, 0
				for step := 1; step <= c.steps; step++ {
					c.begin()
					p := c.start(step)
					if err := p.wait(); err == nil || !p.killed() {
						t.Fatalf("step %d: want it killed, got %v", step, err)
					}
					c.settle(p)
					when := fmt.Sprintf("%s: killed at step %d of %d", s.reason, step, c.steps)
					if c.checkWhole(when) {
						moved++
					} else {
						unmoved++
					}
					c.checkMended(when)
				}
				if unmoved == 0 || moved == 0 {
					t.Errorf("%d kills before the push took effect and %d after: the test misses one side of it", unmoved, moved)
				}
			})
		}
	}
}

// TestKilledWithGit kills the whole process group, git receive-pack with it, from within git's hooks
// and at a spread of moments.
func TestKilledWithGit(t *testing.T) {
	const die = "kill -9 0"
	for name, s := range scenarios {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCrash(t, s.arrange, false)
			for moment, script := range map[string]string{
				"pre-receive": die, "update": die, "post-receive": die, "post-update": die,
				"reference-transaction":  `[ "$1" = prepared ] && ` + die + "; exit 0",
				"reference-transaction ": `[ "$1" = committed ] && ` + die + "; exit 0",
			} {
				hook := strings.TrimSpace(moment)
				c.begin()
				gittest.Hook(t, c.path("deployments.git"), hook, script)
				p := c.start(0)
				if err := p.wait(); err == nil || !p.killed() {
					t.Fatalf("%s: want it killed, got %v\n%s", moment, err, p.stderr.String())
				}
				c.settle(p)
				if err := os.Remove(c.path("deployments.git/hooks/" + hook)); err != nil {
					t.Fatal(err)
				}
				c.afterGroupKill(s.reason + ": killed in " + script)
			}
			c.begin()
			began := time.Now()
			c.finish("how long it takes")
			whole := time.Since(began)
			const moments = 6
			for i := range moments {
				c.begin()
				p := c.start(0)
				kill := time.AfterFunc(whole*time.Duration(i)/moments, p.killGroup)
				_ = p.wait() // killed, or done before that
				kill.Stop()
				c.settle(p)
				c.afterGroupKill(fmt.Sprintf("%s: killed after %d/%d of its time", s.reason, i, moments))
			}
		})
	}
}

// afterGroupKill checks a repository whose git was killed, too. Git leaves its lock files behind
// then, and reports that to every later push; the owner of the repository has to remove them.
func (c *crash) afterGroupKill(when string) {
	c.Helper()
	c.checkWhole(when)
	if locks := c.locks(); len(locks) > 0 {
		p := c.start(0)
		if err := p.wait(); err == nil || !strings.Contains(p.stderr.String(), ".lock") || strings.Count(p.stderr.String(), "\n") > len(locks) {
			c.Errorf("%s: want an error that names the lock, got %v:\n%s", when, err, p.stderr.String())
		}
		c.checkWhole(when)
		for _, lock := range locks {
			if err := os.Remove(lock); err != nil {
				c.Fatal(err)
			}
		}
	}
	c.checkMended(when)
}

// locks are the lock files in the downstream repository.
func (c *crash) locks() (out []string) {
	c.Helper()
	err := filepath.WalkDir(c.path("deployments.git"), func(p string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(p, ".lock") {
			out = append(out, p)
		}
		return err
	})
	if err != nil {
		c.Fatal(err)
	}
	return out
}

func refMap(refs string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(refs) {
		if id, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			if out[name] != "" { // both repositories have a main
				name = "downstream " + name
			}
			out[name] = id
		}
	}
	return out
}

func merged(maps ...map[string]string) map[string]bool {
	out := map[string]bool{}
	for _, m := range maps {
		for k := range m {
			out[k] = true
		}
	}
	return out
}
