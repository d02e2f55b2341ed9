package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/waybill-dev/waybill/pkg/testenv/usage"
)

// step is a run of waybill that is measured, after what prepares it.
type step struct {
	name    string
	floor   string              // the floor under it
	prepare func(run int) error // may be nil
	command []string
	samples []usage.Taken
}

// besideFloors measures the steps and the floors, and prints a table.
func (b *bench) besideFloors(out io.Writer) error {
	if err := errors.Join(b.writeFleet(), b.git("init", "--quiet")); err != nil {
		return err
	}
	steps := b.steps()
	floors, err := b.measure(steps)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "| %d clusters × %d objects ", b.clusters, b.objects)
	fmt.Fprintln(out, "| time | processor time | peak memory | beside the floor | the floor |\n|---|---:|---:|---:|---:|---|")
	for _, s := range steps {
		m := median(s.samples)
		fmt.Fprintf(out, "| %s | %s | %s | %d MB | %s | %s |\n",
			s.name, seconds(m.Wall), seconds(m.CPU), m.Peak>>20, times(floors[s.floor], m.Wall), s.floor)
	}
	for _, name := range floorNames {
		fmt.Fprintf(out, "| floor: %s | %s | | | | |\n", name, seconds(floors[name]))
	}
	return nil
}

// steps are what is done to the fleet in each run, in this order.
func (b *bench) steps() []*step {
	removeWorks := func(int) error { return os.RemoveAll(b.path("fleet", "clusters")) }
	commit := func(int) error { return b.commit() }
	render := []string{"fn", "render", b.path("fleet")}
	preview := []string{"fleet", "preview", "--dir", b.path("fleet"), "HEAD~1..HEAD"}
	return []*step{
		{name: "render, no works yet", floor: floorWrite, command: render, prepare: removeWorks},
		{name: "render, nothing changed", floor: floorHash, command: append(render, "--no-cache")},
		{name: "render, nothing changed, from the cache", floor: floorHash, command: render, prepare: commit},
		{name: "render, one image changed", floor: floorWrite, command: render, prepare: func(run int) error {
			return b.writeDeployment(b.objects/2, fmt.Sprintf("2.%d", run))
		}},
		{name: "preview of it, rendered", floor: floorHash, command: preview, prepare: commit},
		b.draftStep(),
		{name: "render, one cluster added", floor: floorHash, command: render, prepare: func(run int) error {
			return b.writeClusters(b.clusters + run + 1)
		}},
		{name: "report", floor: floorHash, command: []string{"fleet", "report", b.path("fleet"), "-o", b.path("report.html")}, prepare: commit},
	}
}

// measure runs all steps and then all floors, so many times, and returns the medians of the floors.
func (b *bench) measure(steps []*step) (map[string]time.Duration, error) {
	floors := map[string][]usage.Taken{}
	for run := range b.runs {
		if err := b.writeClusters(b.clusters); err != nil {
			return nil, err
		}
		for _, s := range steps {
			if err := b.runStep(s, run); err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
		}
		if err := b.floors(floors); err != nil {
			return nil, err
		}
	}
	medians := map[string]time.Duration{}
	for name, samples := range floors {
		medians[name] = median(samples).Wall
	}
	return medians, nil
}

func (b *bench) runStep(s *step, run int) error {
	if s.prepare != nil {
		if err := s.prepare(run); err != nil {
			return err
		}
	}
	m, err := b.timed(s.command)
	s.samples = append(s.samples, m)
	return err
}

// timed runs waybill.
func (b *bench) timed(args []string) (usage.Taken, error) {
	cmd := exec.Command(b.waybill, args...) // #nosec G204 -- the program to measure
	cmd.Env = append(os.Environ(), "WAYBILL_CACHE_DIR="+b.path("cache"))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	taken, err := usage.Run(cmd)
	if err != nil {
		return usage.Taken{}, fmt.Errorf("waybill %s: %w: %s", strings.Join(args, " "), err, out.Bytes()[max(0, out.Len()-1000):])
	}
	return taken, nil
}

func (b *bench) commit() error {
	err := b.git("add", "--all")
	if err == nil {
		err = b.git("-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "--quiet", "--allow-empty", "--message", "step")
	}
	return err
}

func (b *bench) git(args ...string) error { return gitIn(b.path("fleet"), nil, args...) }

func median(samples []usage.Taken) usage.Taken {
	sorted := slices.SortedFunc(slices.Values(samples), func(a, b usage.Taken) int { return int(a.Wall - b.Wall) })
	return sorted[len(sorted)/2]
}

// times is how many times as long as ours a floor takes. Digits are enough to see that a small ratio falls by a third.
func times(floor, ours time.Duration) string {
	ratio := floor.Seconds() / ours.Seconds()
	if ratio < 1 {
		return fmt.Sprintf("%.3f×", ratio)
	}
	return fmt.Sprintf("%.2f×", ratio)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
