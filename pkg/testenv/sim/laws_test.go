package main

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// wrongWaybill is a case of lawsBroken: a waybill that does what the real one does, and something wrong before or after it.
type wrongWaybill struct {
	reason        string
	law           string
	before, after string                  // in shell; $code is the exit code of the real one, which after may set
	step          func(*simulation) error // none: only the first render
	variants      bool                    // the step needs variants
}

// Shell for wrongWaybill. Its folder is that of the simulation.
const (
	eachWork = "for f in fleet/shop/clusters/*/base/*.yaml"
	remote   = "git --git-dir deployments.git "
	oneTag   = `"$(` + remote + `tag | head -n1)"`
	newBytes = `echo "# $$" >>fleet/shop/bindings/base.yaml`
)

// onPage is shell that replaces a text in the page of a report.
func onPage(text, other string) string {
	return `[ "$2" = report ] && { sed 's/` + text + `/` + other + `/' report.html >new; mv new report.html; }`
}

var wrongWaybills = map[string]wrongWaybill{
	"first": {reason: "a cluster receives nothing from the first render on", law: lawReceive,
		after: `[ "$1" = fn ] && rm -r fleet/shop/clusters/edge-3`},
	"image": {reason: "it ships another image than the preview says", law: lawPreview, step: (*simulation).changeField,
		after: `[ "$1" = fn ] && ` + eachWork + `; do sed "s/image: registry/image: evil/" "$f" >"$f.new"; mv "$f.new" "$f"; done`},
	"again": {reason: "each render gives other bytes", law: lawAgain, step: (*simulation).changeField,
		after: `[ "$1" = fn ] && ` + newBytes},
	"cluster": {reason: "a cluster loses what the preview keeps", law: lawPreview, step: (*simulation).changeField,
		after: `[ "$1" = fn ] && rm -r fleet/shop/clusters/edge-3`},
	"report": {reason: "a report names another cluster", law: lawReport, step: (*simulation).changeField,
		after: onPage("edge-3", "edge-99")},
	"report objects": {reason: "a report names another object", law: lawReport, step: (*simulation).changeField,
		after: onPage(`"Deployment","shop","web-1"`, `"Deployment","shop","web-99"`)},
	"report changes": {reason: "a report names another change", law: lawReport, step: (*simulation).changeField,
		after: onPage(`"change":"changed"`, `"change":"added"`)},
	"refusal": {reason: "it deletes works when it refuses", law: lawKeep, step: (*simulation).emptyInventory,
		after: `[ $code = 0 ] || rm -rf fleet/shop/clusters/edge-3`},
	"accepts": {reason: "it accepts a broken inventory", law: lawExit, step: (*simulation).brokenInventory, after: `code=0`},
	"merge": {reason: "it does not refuse a conflict", law: lawMerge, step: (*simulation).upgradeConflict,
		after: `[ "$2" = update ] && code=0`},
	"model": {reason: "the model expects another image", law: lawReceive, step: func(s *simulation) error {
		s.model.local["web-1"].fields["image"] = "other:1"
		return s.changeField()
	}},
	"policy": {reason: "the model expects another policy", law: lawReceive, step: func(s *simulation) error {
		s.model.extras = s.model.regions
		return s.changeField()
	}},
	"cache": {reason: "a render after the fault gives other bytes than the one without it", law: lawRepeat, step: (*simulation).damageCache,
		after: `[ "$1" = fn ] && if [ -e once ]; then ` + newBytes + `; fi; touch once`},
	"status": {reason: "it counts other reports", law: lawStatus, step: (*simulation).status,
		before: `[ "$2" = status ] && { sed "s/readyReplicas: .*/readyReplicas: 0/" reports.yaml >new; mv new reports.yaml; }`},
	"reconcile": {reason: "each reconcile pushes another ref", law: lawAgain, step: (*simulation).upgradeVariants, variants: true,
		after: `[ "$1" = reconcile ] && ` + remote + `branch "x$$" main`},
	"killed": {reason: "a reconcile that is killed deletes a revision", law: lawKeep, step: (*simulation).killReconcile, variants: true,
		before: `[ "$1" = reconcile ] && { [ -e once ] && ` + remote + `tag -d ` + oneTag + `; touch once; }`},
	"moved": {reason: "an approval moves a revision that was approved before", law: lawApproved, step: (*simulation).upgradeVariants,
		variants: true, after: `[ "$2" = approve ] && ` + remote + `tag -f ` + oneTag + ` "$(` + remote + `rev-list --max-parents=0 main)"`},
	"others": {reason: "an approval drops the history", law: lawOthers, step: (*simulation).overtakeApproval, variants: true,
		after: `[ "$2" = approve ] && ` + remote + `update-ref refs/heads/main "$(` + remote + `commit-tree -m x 'main^{tree}')"`},
}

// lawsBroken has a waybill do something wrong, or misleads the model: each must be noticed, and the error must say how to repeat
// the run.
func lawsBroken(t *testing.T, waybill string) {
	for name, c := range wrongWaybills {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "waybill")
			script := "#!/bin/sh\n{ :; " + c.before + "\n} >&2\n'" + waybill + "' \"$@\"\ncode=$?\n{ :; " + c.after + "\n} >&2\nexit $code\n"
			if err := os.WriteFile(file, []byte(script), 0o700); err != nil {
				t.Fatal(err)
			}
			o := small(file, 1)
			o.sample = o.clusters
			s, err := newSimulation(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			defer s.close()
			err = s.one(1, kind{name, 1, func(s *simulation) error {
				if c.step == nil {
					return errors.Join(s.prepare(), s.deliverFirst())
				}
				return errors.Join(s.prepare(), s.commitFirst(waybill, c.variants), c.step(s))
			}})
			var broken *brokenLaw
			if !errors.As(err, &broken) || broken.law != c.law || !strings.Contains(err.Error(), "make sim CLUSTERS=12 OBJECTS=10 COMMITS=1 SEED=1") {
				t.Errorf("%s: want the law %q to be broken, got: %v", c.reason, c.law, err)
			}
		})
	}
}

// commitFirst delivers the fleet, and its variants, for the first time with the real waybill.
func (s *simulation) commitFirst(waybill string, variants bool) error {
	wrong := s.binary
	s.binary = waybill
	defer func() { s.binary = wrong }()
	if err := s.deliverFirst(); err != nil || !variants {
		return err
	}
	return errors.Join(s.beginVariants(), s.checkApproved())
}

// TestInterrupted ends a simulation at its first command, as Ctrl-C does: it says so, and leaves nothing behind.
func TestInterrupted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	stop()
	err := run(ctx, small("true", 1), io.Discard)
	left, readErr := os.ReadDir(os.TempDir())
	if err == nil || err.Error() != "interrupted in step 0 (start)" || readErr != nil || len(left) > 0 {
		t.Errorf("got %v, and it leaves %v behind: %v", err, left, readErr)
	}
}

// TestKilledBefore kills a render at the moment at which it is to begin: that is no error of the simulation.
func TestKilledBefore(t *testing.T) {
	s, err := newSimulation(t.Context(), small("true", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := s.killedRender(0); err != nil || s.report.Killed != 0 {
		t.Errorf("%d renders were killed: %v", s.report.Killed, err)
	}
}

// TestDrawSites draws clusters of variants while the fleet stays as it is: they are others each time, so that there is something to propose.
func TestDrawSites(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- a test
	s := &simulation{random: random, model: newModel(8, 10, random)}
	for range 100 {
		before := s.sites
		if s.drawSites(); slices.Equal(s.sites, before) || len(s.sites) != 7 {
			t.Fatalf("%v after %v", s.sites, before)
		}
	}
}
