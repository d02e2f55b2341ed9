package local_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// TestOccupiedFolder reconciles a variant whose package would take the place of files that others have on the main
// branch. Nothing happens, and the error says what to do, in a dry run as well; once that is done the variant goes on.
func TestOccupiedFolder(t *testing.T) {
	f := newFleet(t)
	f.commit("main", map[string]*string{"eu/shop/precious.yaml": text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: precious}\n")})
	const want = `folder "eu/shop" of branch "main" holds 1 file ("precious.yaml") and no package, and the clone would delete it`
	for name, reconcile := range map[string]func() []reconciler.Report{"dry run": f.dryRun, "run": f.reconcile} {
		f.unmoved(name, func() {
			err := reconcile()[0].Err
			if _, refused := errors.AsType[*revision.RefusedError](err); !refused || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %q", name, err, want)
			}
		})
	}
	f.commit("main", map[string]*string{"eu/shop/precious.yaml": nil, "eu/precious.yaml": text("x\n")})
	f.expect("its place is free", "eu created: "+first+": cloned from blueprints.shop.v1")
	f.commit("main", map[string]*string{"eu/shop/precious.yaml": text("y\n")})
	f.expectQuiet("what comes later is for the approval to say", "eu unchanged: "+first+unchanged)
}

// TestOccupiedFolderWhenRecreated recreates a draft where files were added to the main branch: the draft there is
// stays.
func TestOccupiedFolderWhenRecreated(t *testing.T) {
	f := newFleet(t)
	f.edit("eu.yaml", "  namespace: fleet\n", "  namespace: fleet\n  annotations: {waybill.dev/open-draft: recreate}\n")
	f.expect("first", "eu created: "+first+": cloned from blueprints.shop.v1")
	f.commit("main", map[string]*string{"eu/shop/precious.yaml": text("y\n")})
	f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
	f.unmoved("nothing is lost", func() {
		if err := f.reconcile()[0].Err; err == nil || !strings.Contains(err.Error(), `holds 1 file ("precious.yaml")`) {
			t.Errorf("got %v", err)
		}
	})
	gittest.Git(t, f.path("deployments.git"), "rev-parse", firstDraft) // or fails
}
