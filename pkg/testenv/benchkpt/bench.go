package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

type bench struct {
	kpt, waybill, functions, engine string
	runs                            int

	below  string // folder for the packages
	dir    string // below it, for the row at hand
	copies int    // of packages, made there
}

// sample is one run.
type sample struct {
	Took time.Duration `json:"nanoseconds"`
	Peak int64         `json:"peakBytes"` // most memory that the program itself held
}

func (b *bench) run(rows []row, t *table) error {
	t.head("resources", "functions", "run as", columnWhere)
	for _, r := range rows {
		m, err := b.measure(r)
		if err != nil {
			return fmt.Errorf("%d resources, %d functions, %s: %w", r.objects, r.functions, r.how, err)
		}
		t.add(m, r.objects, r.functions, r.how, t.where)
	}
	return nil
}

// measured are the medians of a row: of kpt, of waybill, and of waybill when its cache holds the result; the last is zero
// for results that are not cached.
type measured struct{ kpt, ours, again sample }

// measure renders r with each. All start from a package that kpt has formatted.
func (b *bench) measure(r row) (m measured, err error) {
	if b.dir, err = os.MkdirTemp(b.below, "benchkpt-"); err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	start, err := b.formatted(r)
	if err != nil {
		return m, err
	}
	ours := func(flags ...string) trial {
		return func(int) (sample, pkgtree.Tree, error) {
			return b.once(start, append(b.waybillCommand(r), flags...), r, r.how == linked)
		}
	}
	again := ours()
	if r.how != none && r.how != linked { // not cached
		again = nil
	}
	kpt := func(int) (sample, pkgtree.Tree, error) { return b.once(start, b.kptCommand(r), r, false) }
	_, m, err = b.compare(kpt, ours("--no-cache"), again)
	return m, err
}

// trial is one run of a program, with the number of the run, and the package that it leaves.
type trial func(run int) (sample, pkgtree.Tree, error)

// compare runs kpt and waybill by turns, waybill without its cache, and then with it unless again is nil. All must leave
// the same files, Kptfiles apart. It returns the package that kpt left.
func (b *bench) compare(kpt, ours, again trial) (want pkgtree.Tree, m measured, err error) {
	var samples [3][]sample
	for i := range b.runs {
		trials := []trial{kpt, ours, again}
		if again != nil && i == 0 {
			trials = append(trials, again) // the first one fills the cache
		}
		for n, run := range trials {
			if run == nil {
				continue
			}
			s, got, err := run(i)
			if err != nil {
				return want, m, err
			}
			if n == 0 {
				want = got
			} else if changed := withoutKptfile(want).Diff(withoutKptfile(got)); len(changed) > 0 {
				return want, m, fmt.Errorf("the two results differ in %v", changed[:min(3, len(changed))])
			}
			n = min(n, 2)
			samples[n] = append(samples[n][:i], s) // of two in the first run, the last
		}
	}
	m = measured{kpt: median(samples[0]), ours: median(samples[1])}
	if again != nil {
		m.again = median(samples[2])
	}
	return want, m, nil
}

func median(samples []sample) sample {
	slices.SortFunc(samples, func(a, b sample) int { return int(a.Took - b.Took) })
	return samples[len(samples)/2]
}

// formatted is the package of r as kpt writes it, so that neither has anything to tidy up.
func (b *bench) formatted(r row) (pkgtree.Tree, error) {
	raw, err := pkgtree.New(files(r))
	if err != nil {
		return raw, err
	}
	_, start, err := b.once(raw, []string{b.kpt, "fn", "render"}, row{}, false)
	if err != nil {
		return start, err
	}
	pipeline, err := b.kptfile(r, false)
	if err != nil {
		return start, err
	}
	return start.Apply(map[string][]byte{"Kptfile": pipeline})
}

// once renders a fresh copy of the package and returns the rendered files, except the Kptfile.
// Copies are removed at the end: some file systems are slow to make files where many just went.
func (b *bench) once(start pkgtree.Tree, command []string, r row, asImages bool) (s sample, after pkgtree.Tree, err error) {
	b.copies++
	work := filepath.Join(b.dir, fmt.Sprint(b.copies), "package")
	if err := os.MkdirAll(work, 0o700); err != nil {
		return s, after, err
	}
	if asImages {
		pipeline, err := b.kptfile(r, true)
		if err != nil {
			return s, after, err
		}
		if start, err = start.Apply(map[string][]byte{"Kptfile": pipeline}); err != nil {
			return s, after, err
		}
	}
	if err := pkgtree.WriteDir(work, pkgtree.Tree{}, start); err != nil {
		return s, after, err
	}
	cmd := exec.Command(command[0], append(command[1:], work)...) // #nosec G204 -- that is what it is for
	cmd.Env = append(os.Environ(), "KPT_FN_RUNTIME="+b.engine, "WAYBILL_CACHE_DIR="+filepath.Join(b.dir, "cache"))
	if s, err = b.timed(cmd); err != nil {
		return s, after, err
	}
	if after, err = pkgtree.ReadDir(work, pkgtree.Limits{}); err != nil {
		return s, after, err
	}
	after, err = after.Apply(map[string][]byte{"Kptfile": nil})
	return s, after, err
}

func (b *bench) kptCommand(r row) []string {
	if r.how == contained {
		return []string{b.kpt, "fn", "render", "--image-pull-policy=Never"}
	}
	return []string{b.kpt, "fn", "render", "--allow-exec"}
}

func (b *bench) waybillCommand(r row) []string {
	if r.how == contained {
		return []string{b.waybill, "fn", "render", "--image-pull-policy=Never", "--runtime=" + b.engine}
	}
	return []string{b.waybill, "fn", "render", "--allow-exec"}
}
