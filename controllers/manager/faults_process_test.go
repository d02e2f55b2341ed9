package manager_test

import (
	"context"
	"io"
	"log/slog"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/manager"
)

// process is a controller as if it had a process of its own.
type process struct {
	*fleet
	log    *clustertest.Log
	cancel context.CancelFunc
	wait   func() error // until it has ended
	lost   bool         // it was to end by itself
}

// setup is what a test does to a controller.
type setup struct {
	wire  *wire
	gate  *gate
	elect bool
	tune  func(*manager.Options)
}

// launch starts a controller, which ends with the test at the latest.
func (f *fleet) launch(s setup) *process {
	f.Helper()
	p := &process{fleet: f, log: &clustertest.Log{}}
	o := manager.Options{
		Functions: noFunctions{}, Namespaces: []string{f.namespace}, PollInterval: 300 * time.Millisecond,
		Fresh: time.Millisecond, Quiet: 30 * time.Millisecond, FirstRetry: 50 * time.Millisecond, LastRetry: time.Second,
		Log: logr.FromSlogHandler(slog.NewTextHandler(io.MultiWriter(p.log, f.log), &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	cfg := f.controller()
	if s.wire != nil {
		cfg.Wrap(s.wire.wrap)
	}
	if s.gate != nil {
		o.OnStep = s.gate.onStep
	}
	if s.elect {
		o.LeaderElection, o.LeaderElectionNamespace, o.Lease = true, system, "controller.waybill.dev"
		o.LeaseDuration, o.RenewDeadline, o.RetryPeriod = 4*time.Second, 3*time.Second, 200*time.Millisecond
	}
	if s.tune != nil {
		s.tune(&o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- manager.Run(ctx, cfg, o) }()
	p.cancel, p.wait = cancel, sync.OnceValue(func() error { return <-ended })
	f.Cleanup(func() {
		if s.gate != nil {
			s.gate.let()
		}
		p.end()
	})
	return p
}

// end ends it as a signal would.
func (p *process) end() {
	p.Helper()
	p.cancel()
	if err := p.wait(); err != nil && !p.lost {
		p.Errorf("the controller ended with %v", err)
	}
}

// falls waits for it to end by itself.
func (p *process) falls(why string) {
	p.Helper()
	p.lost = true
	if err := p.wait(); err == nil || err.Error() != why {
		p.Fatalf("want a controller that ends with %q, got %v", why, err)
	}
}

var passLine = regexp.MustCompile(` msg=pass .*? variants=(\d+) (.*)`)

// passed is how many variants its passes have had, and what they did if they did something.
func (p *process) passed() (variants int, did string) {
	for _, line := range passLine.FindAllStringSubmatch(p.log.String(), -1) {
		n, _ := strconv.Atoi(line[1]) // digits
		variants += n
		for _, none := range []string{"created=0", "updated=0", "failed=0"} {
			if !strings.Contains(line[2], none) {
				did += line[2] + "\n"
			}
		}
	}
	return variants, did
}
