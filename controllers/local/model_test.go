package local_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestModel leads fleets through long random lives: upstream, context, variants, sets, budgets and people
// change, reconciles are killed, cut short, overtaken and doubled, and after each of them everything that
// model_laws_test.go promises must hold. WAYBILL_CASES asks for more lives than the few of a quick run,
// and WAYBILL_SEED for the one that failed.
func TestModel(t *testing.T) {
	testenv.Need(t, testenv.Git)
	start := beginning(t)
	var seen tally
	for _, seed := range testenv.Seeds(t, 20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			steer(t, map[string]string{"rapid.seed": fmt.Sprint(seed), "rapid.checks": "1", "rapid.nofailfile": "true"})
			rapid.Check(t, func(rt *rapid.T) {
				m := newModel(t, rt, start, &seen)
				defer m.end()
				for range life {
					m.live()
				}
				m.reconcile(undisturbed)
				gittest.Fsck(m.fleet, m.path("deployments.git"))
			})
		})
	}
	seen.check(t)
}

// steer sets flags of rapid for this test, except those that the command line gave.
func steer(t *testing.T, flags map[string]string) {
	for name, value := range flags {
		f := flag.Lookup(name)
		if was := f.Value.String(); was == f.DefValue {
			if err := f.Value.Set(value); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = f.Value.Set(was) })
		}
	}
}

// beginning is a fleet to copy: making one takes a dozen runs of git.
func beginning(t *testing.T) string {
	f := newFleet(t)
	for _, name := range []string{"fleet/eu.yaml", "fleet/context.yaml", "blueprints.git/hooks", "deployments.git/hooks"} {
		if err := os.RemoveAll(f.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	return f.root
}

// drawn is a testing.TB whose failures are those of one sequence, which rapid then makes smaller.
type drawn struct {
	testing.TB
	rt *rapid.T
}

func (d *drawn) Fatal(args ...any)                 { d.rt.Helper(); d.rt.Fatal(args...) }
func (d *drawn) Fatalf(format string, args ...any) { d.rt.Helper(); d.rt.Fatalf(format, args...) }
func (d *drawn) Error(args ...any)                 { d.rt.Helper(); d.rt.Error(args...) }
func (d *drawn) Errorf(format string, args ...any) { d.rt.Helper(); d.rt.Errorf(format, args...) }
func (d *drawn) Logf(format string, args ...any)   { d.rt.Helper(); d.rt.Logf(format, args...) }
func (d *drawn) Helper()                           { d.rt.Helper() }

// newModel copies the beginning to a folder of its own.
func newModel(t *testing.T, rt *rapid.T, start string, seen *tally) *model {
	root, err := os.MkdirTemp(t.TempDir(), "life")
	if err != nil {
		t.Fatal(err)
	}
	m := &model{fleet: &fleet{TB: &drawn{t, rt}, root: root}, seen: seen, sites: map[string]int{}, variants: map[string]*desiredVariant{}, byHand: map[string]bool{}}
	m.rt = rt
	m.link(root + "-link")
	m.copyFrom(start)
	m.changeSite()
	m.changeVariant()
	return m
}

func (m *model) copyFrom(root string) {
	for _, name := range []string{"fleet", "blueprints.git", "deployments.git", "mirror.git"} {
		if _, err := os.Stat(filepath.Join(root, name)); errors.Is(err, fs.ErrNotExist) {
			continue // there is no mirror yet
		}
		if err := os.CopyFS(m.path(name), os.DirFS(filepath.Join(root, name))); err != nil {
			m.Fatal(err)
		}
	}
	m.readers = [2]*gitReader{openGitReader(m.fleet, "blueprints.git"), openGitReader(m.fleet, "deployments.git")}
}

// end frees what the sequence held, for there may be thousands.
func (m *model) end() {
	for _, e := range m.readers {
		e.close()
	}
	if err := os.RemoveAll(m.root); err != nil {
		m.Fatal(err)
	}
}

// tally counts what happened in all sequences: a model that never gets to a thing proves nothing of it.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func (s *tally) add(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts == nil {
		s.counts = map[string]int{}
	}
	s.counts[what]++
}

// musts are what the sequences of a whole run get to, however few they are.
const musts = "created updated unchanged failed blocked clone edit upgrade killed doubled overtaken cut-short mirrored silent"

func (s *tally) check(t *testing.T) {
	t.Logf("what happened: %v", s.counts)
	if os.Getenv("WAYBILL_SEED") != "" || testenv.Short() || t.Failed() {
		return
	}
	for what := range strings.FieldsSeq(musts) {
		if s.counts[what] == 0 {
			t.Errorf("no sequence got to %q: that proves nothing", what)
		}
	}
}
