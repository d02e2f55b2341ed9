package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

type bench struct {
	kpt, waybill, functions, engine string
	runs                            int
}

// sample is one run.
type sample struct {
	took time.Duration
	peak int64 // most memory that the program itself held, in bytes
}

func (b *bench) run(rows []row, out io.Writer) error {
	fmt.Fprintf(out, "| resources | functions | run as | kpt | waybill | ratio | kpt peak | waybill peak |\n|---:|---:|---|---:|---:|---:|---:|---:|\n")
	for _, r := range rows {
		kpt, ours, err := b.measure(r)
		if err != nil {
			return fmt.Errorf("%d resources, %d functions, %s: %w", r.objects, r.functions, r.how, err)
		}
		fmt.Fprintf(out, "| %d | %d | %s | %.2f s | %.2f s | %.1f× | %d MB | %d MB |\n", r.objects, r.functions, r.how,
			kpt.took.Seconds(), ours.took.Seconds(), kpt.took.Seconds()/ours.took.Seconds(), kpt.peak>>20, ours.peak>>20)
	}
	return nil
}

// measure renders r alternately with both, and returns the medians. Both start from a package that
// kpt has formatted, and must end with the same one.
func (b *bench) measure(r row) (kpt, ours sample, err error) {
	dir, err := os.MkdirTemp("", "benchkpt-")
	if err != nil {
		return kpt, ours, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	start, err := b.formatted(dir, r)
	if err != nil {
		return kpt, ours, err
	}
	var kpts, all []sample
	for i := range b.runs {
		k, want, err := b.once(dir, start, b.kptCommand(r), r, false)
		if err != nil {
			return kpt, ours, err
		}
		o, got, err := b.once(dir, start, b.waybillCommand(r), r, r.how == linked)
		if err != nil {
			return kpt, ours, err
		}
		if changed := want.Diff(got); i == 0 && len(changed) > 0 {
			return kpt, ours, fmt.Errorf("the two results differ in %v", changed[:min(3, len(changed))])
		}
		kpts, all = append(kpts, k), append(all, o)
	}
	return median(kpts), median(all), nil
}

func median(samples []sample) sample {
	slices.SortFunc(samples, func(a, b sample) int { return int(a.took - b.took) })
	return samples[len(samples)/2]
}

// formatted is the package of r as kpt writes it, so that neither has anything to tidy up.
func (b *bench) formatted(dir string, r row) (pkgtree.Tree, error) {
	raw, err := pkgtree.New(files(r))
	if err != nil {
		return raw, err
	}
	_, start, err := b.once(dir, raw, []string{b.kpt, "fn", "render"}, row{}, false)
	if err != nil {
		return start, err
	}
	pipeline, err := b.kptfile(r, false)
	if err != nil {
		return start, err
	}
	return start.Apply(map[string][]byte{"Kptfile": pipeline})
}

// once renders a fresh copy of the package and reads what became of it, but for the Kptfile.
func (b *bench) once(dir string, start pkgtree.Tree, command []string, r row, asImages bool) (s sample, after pkgtree.Tree, err error) {
	work := filepath.Join(dir, "package")
	if err := errors.Join(os.RemoveAll(work), os.Mkdir(work, 0o700)); err != nil {
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
	cmd.Env = append(os.Environ(), "KPT_FN_RUNTIME="+b.engine)
	var talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &talk, &talk
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return s, after, fmt.Errorf("%v: %w\n%s", command, err, &talk)
	}
	s.took = time.Since(began)
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.peak = usage.Maxrss << 10
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
		return []string{b.waybill, "fn", "render", "--image-pull-policy=Never", "--no-cache", "--runtime=" + b.engine}
	}
	return []string{b.waybill, "fn", "render", "--allow-exec"}
}
