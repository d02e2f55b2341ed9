// Command sim simulates a year of a fleet: it draws changes from a seed, makes each of them with the real waybill and real Git
// repositories, checks laws at every step, and reports what the steps cost.
//
// Shape: sizes, a seed and a waybill in; a table, or JSON, out. The fleet, its repositories and their server on the loopback are
// below TMPDIR, and are removed at the end. A model in memory says what clusters should receive; it shares no code with Waybill.
// The same seed and sizes make the same commits. Cost: a minute for each step of 10,000 clusters with 100 objects, and 4 GB.
// Errors: exit status 1; a law that does not hold is named, with the step and the command that repeats it. 2 is wrong usage.
// SIGINT and SIGTERM end the simulation; its folder is removed then, too.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

const (
	defaultSample = 20
	// More do not fit into the memory of usual machines.
	maxClusters, maxObjects = 100_000, 10_000
)

// options are the flags.
type options struct {
	clusters, objects, commits, sample int
	seed                               uint64
	waybill, output, page              string
	within                             time.Duration
	keep                               bool
}

func main() {
	var o options
	flag.IntVar(&o.clusters, "clusters", 50, "clusters of the fleet, at least 8")
	flag.IntVar(&o.objects, "objects", 20, "objects of its package, at least 10")
	flag.IntVar(&o.commits, "commits", 52, "steps, of which most end in a commit; they are spread over a year")
	flag.IntVar(&o.sample, "sample", defaultSample, "clusters whose works are compared with the model at each step")
	flag.Uint64Var(&o.seed, "seed", 1, "what decides which changes are made")
	flag.StringVar(&o.waybill, "waybill", "bin/waybill", "the waybill to simulate with")
	flag.StringVar(&o.output, "o", "table", "how to print: table or json")
	flag.StringVar(&o.page, "page", "", "also write the table into this Markdown file, between its markers")
	flag.DurationVar(&o.within, "within", 0, "begin no step after this time, and report those that were made; 0 is no limit")
	flag.BoolVar(&o.keep, "keep", false, "keep the folder, and name it on stderr")
	flag.Parse()
	if !o.valid() || flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "sim: want 8 to %d clusters, 10 to %d objects, at least 1 commit and a sample of 1, -o table or json, "+
			"and no arguments\n", maxClusters, maxObjects)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sim:", err)
		os.Exit(1)
	}
}

// run simulates until ctx ends, and prints the report.
func run(ctx context.Context, o options, out io.Writer) (err error) {
	if o.page != "" {
		if _, _, err := splitPage(o.page); err != nil { // now, and not after hours
			return err
		}
	}
	s, err := newSimulation(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if isTerminal(os.Stderr) {
		s.progress = os.Stderr
	}
	if err := s.run(); err != nil {
		return err
	}
	if o.page != "" {
		if err := s.report.writePage(o.page); err != nil {
			return err
		}
	}
	return s.report.print(out, o.output)
}

// valid reports whether there can be such a simulation.
func (o options) valid() bool {
	return o.clusters >= 8 && o.clusters <= maxClusters && o.objects >= 10 && o.objects <= maxObjects && o.commits > 0 && o.sample > 0 &&
		(o.output == "table" || o.output == "json")
}

// repeat is the command that repeats a simulation.
func (o options) repeat() string {
	var flags []string
	if o.sample != defaultSample {
		flags = append(flags, fmt.Sprintf("-sample %d", o.sample))
	}
	if o.within != 0 {
		flags = append(flags, fmt.Sprintf("-within %v", o.within))
	}
	command := fmt.Sprintf("make sim CLUSTERS=%d OBJECTS=%d COMMITS=%d SEED=%d", o.clusters, o.objects, o.commits, o.seed)
	if len(flags) > 0 {
		command += " SIM_FLAGS='" + strings.Join(flags, " ") + "'"
	}
	return command
}

// isTerminal reports whether f is a terminal, and neither a file nor a pipe.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && !strings.HasPrefix(f.Name(), os.DevNull)
}
