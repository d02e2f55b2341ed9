package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/waybill-dev/waybill/pkg/testenv/usage"
)

// simulation is one run.
type simulation struct {
	options
	ctx         context.Context // its end ends the simulation
	dir, binary string
	random      *rand.Rand
	model       *model
	server      *server
	report      *report
	progress    io.Writer // nil unless stderr is a terminal

	step     int
	kind     string // of the step
	sites    []cluster
	versions [2]int            // of the packages shop and agents
	approved map[string]string // tags and their commits
}

func newSimulation(ctx context.Context, o options) (s *simulation, err error) {
	random := rand.New(rand.NewPCG(o.seed, uint64(o.clusters)<<32|uint64(o.objects))) // #nosec G404 -- repeatable, not secret
	s = &simulation{options: o, ctx: ctx, random: random, model: newModel(o.clusters, o.objects, random), report: newReport(o),
		approved: map[string]string{}}
	if s.binary, err = usage.Program(o.waybill); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "waybill-sim-"); err != nil {
		return nil, err
	}
	if s.dir, err = filepath.EvalSymlinks(s.dir); err != nil {
		return nil, err
	}
	if s.server, err = serve(s.dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.dir))
	}
	s.sites = slices.Clone(s.model.clusters)
	return s, nil
}

// close stops the server, and removes everything unless it is to be kept.
func (s *simulation) close() error {
	err := s.server.Close()
	if s.keep {
		fmt.Fprintln(os.Stderr, "sim: kept", s.dir)
		return err
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}

// run makes the fleet, then every step, and measures the floors.
func (s *simulation) run() error {
	began := time.Now()
	if err := s.one(0, kind{startFleet, 1, (*simulation).begin}); err != nil {
		return err
	}
	deck := newDeck(rand.New(rand.NewPCG(s.seed, 0))) // #nosec G404 -- repeatable, not secret
	for i := range s.commits {
		if s.within > 0 && time.Since(began) > s.within {
			break
		}
		if err := s.one(i+1, deck.draw()); err != nil {
			return err
		}
		s.report.Steps++
	}
	s.report.Seconds = time.Since(began).Seconds()
	return errors.Join(s.ids(), s.floors())
}

// one makes one step. An error of it says how to repeat it.
func (s *simulation) one(step int, k kind) error {
	s.step, s.kind = step, k.name
	began := time.Now()
	if s.progress != nil {
		fmt.Fprintf(s.progress, "\r\x1b[K%d of %d: %s", step, s.commits, k.name)
	}
	err := k.run(s)
	if err == nil {
		err = s.checkApproved()
	}
	if s.progress != nil {
		fmt.Fprintf(s.progress, " (%.1f s)\r", time.Since(began).Seconds())
	}
	if s.ctx.Err() != nil {
		return fmt.Errorf("interrupted in step %d (%s)", step, k.name)
	}
	if err != nil {
		return fmt.Errorf("seed %d, step %d (%s): %w\nrepeat it with: %s", s.seed, step, k.name, err, s.repeat())
	}
	return nil
}

// What must hold at every step.
const (
	lawExit     = "a command ends with the exit code that is documented"
	lawReceive  = "clusters receive what the model says, and nothing else"
	lawAgain    = "a second run changes nothing"
	lawPreview  = "a preview names exactly what changes, cluster by cluster and object by object"
	lawReport   = "a report shows every cluster, what it receives, and what changes"
	lawKeep     = "a command that is refused or killed deletes nothing"
	lawRepeat   = "repeating a command after a fault gives the bytes that it gives without the fault"
	lawMerge    = "an update is refused if, and only if, both sides changed a field"
	lawApproved = "approved revisions do not change"
	lawOthers   = "commits of other clients stay"
	lawStatus   = "status counts what clusters report"
)

// brokenLaw ends a simulation.
type brokenLaw struct{ law, detail string }

func (b *brokenLaw) Error() string {
	return fmt.Sprintf("the law %q does not hold: %s", b.law, b.detail)
}

// law counts a check of a law, and is an error if it does not hold.
func (s *simulation) law(name string, holds bool, format string, args ...any) error {
	s.report.Laws[name]++
	if holds {
		return nil
	}
	return &brokenLaw{name, fmt.Sprintf(format, args...)}
}
