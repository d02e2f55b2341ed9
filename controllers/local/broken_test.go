package local_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	keep    = "  annotations: {porch.kpt.dev/push-on-render-failure: \"true\"}\n"
	because = ` does not render, and is kept because of the annotation porch.kpt.dev/push-on-render-failure: render package "eu/shop": ` +
		`function "example.com/refuse:v1" (step 1): ConfigMap app (app.yaml) app is not to my taste`
)

// keeping has the variant eu keep drafts that do not render.
func keeping(f *fleet) {
	f.Helper()
	f.edit("eu.yaml", "spec:\n", "spec:\n"+keep)
}

// TestPushOnRenderFailure keeps a draft whose package does not render, and mends it.
func TestPushOnRenderFailure(t *testing.T) {
	good := newFleet(t)
	keeping(good)
	good.reconcile()

	f := newFleet(t)
	keeping(f)
	f.edit("eu.yaml", "example.com/note:v1", "example.com/refuse:v1")
	reports := f.expect("the draft is kept, and says so", "eu created: "+first+": cloned from blueprints.shop.v1; "+first+because)
	if c := reports[0].Conditions; len(c) < 3 || c[1].Type != "Ready" || c[1].Status != "True" || c[2].Type != "Rendered" || c[2].Status != "False" {
		t.Errorf("the status has the condition Rendered, and Ready is as in Porch; got %+v", c)
	}
	const condition = "  - type: Rendered\n    status: \"False\"\n    reason: RenderFailed\n    message:"
	if got := f.show(firstDraft, "eu/shop/Kptfile"); !strings.Contains(got, condition) {
		t.Errorf("so does the Kptfile; got\n%s", got)
	}
	f.expectQuiet("it is the same draft each time", "eu unchanged: "+first+unchanged+"; "+first+because)
	f.edit("eu.yaml", "example.com/refuse:v1", "example.com/note:v1")
	f.expect("once it renders", "eu updated: "+first+": draft updated")
	want := good.files(firstDraft, "eu/shop")
	want["Kptfile"] = strings.ReplaceAll(want["Kptfile"], good.root, f.root)
	if diff := cmp.Diff(want, f.files(firstDraft, "eu/shop")); diff != "" {
		t.Errorf("it is as if nothing had been (-want +got):\n%s", diff)
	}
	f.expectQuiet("and rests", "eu unchanged: "+first+unchanged)
}

// TestPushOnRenderFailureLater breaks what is published: by an edit and by an upgrade.
func TestPushOnRenderFailureLater(t *testing.T) {
	refuse := func(f *fleet) { f.edit("eu.yaml", "example.com/note:v1", "example.com/refuse:v1") }
	note := func(f *fleet) { f.edit("eu.yaml", "example.com/refuse:v1", "example.com/note:v1") }
	upgrade := func(f *fleet) {
		f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
	}
	for name, tc := range map[string]struct {
		reason string
		change func(f *fleet)
		done   string
	}{
		"edit":    {"a change of the variant", refuse, "edited from " + first},
		"upgrade": {"a change of the upstream as well", func(f *fleet) { refuse(f); upgrade(f) }, "upgraded from shop/v1"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			keeping(f)
			f.reconcile()
			f.publish(first)
			tc.change(f)
			f.expect(tc.reason, "eu created: "+second+": "+tc.done+"; "+second+because)
			f.expectQuiet("once", "eu unchanged: "+second+unchanged+"; "+second+because)
			if got := f.show(secondDraft, "eu/shop/app.yaml"); name == "upgrade" && !strings.Contains(got, "good day") {
				t.Errorf("it has what upstream changed; got\n%s", got)
			}
			f.publish(second) // by a client that does not mind
			f.expectQuiet("what is published is not rendered again", "eu unchanged: "+second+unchanged+"; "+second+because)
			note(f)
			f.expect("the next draft renders", "eu created: deployments.eu.shop.packagevariant-3: edited from "+second)
			if got := f.show("drafts/eu/shop/packagevariant-3", "eu/shop/Kptfile"); strings.Contains(got, "Rendered") {
				t.Errorf("and does not say otherwise; got\n%s", got)
			}
		})
	}
	t.Run("mended by hand", func(t *testing.T) {
		f := newFleet(t)
		keeping(f)
		refuse(f)
		f.reconcile()
		f.commit(firstDraft, map[string]*string{"eu/shop/app.yaml": nil})
		f.expect("a draft that was mended is rendered", "eu updated: "+first+": draft updated")
		f.expectQuiet("once", "eu unchanged: "+first+unchanged)
	})
	t.Run("without the annotation", func(t *testing.T) {
		f := newFleet(t)
		refuse(f)
		f.unmoved("nothing is kept", func() {
			if got := lines(f.reconcile()); !strings.HasPrefix(got[0], "eu failed: render package") {
				t.Errorf("got %q", got)
			}
		})
	})
}
