package local_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRetire changes spec.downstream, which leaves the old package behind.
func TestRetire(t *testing.T) {
	const moved = "deployments.emea.shop.packagevariant-1: cloned from blueprints.shop.v1"
	for name, tc := range map[string]struct {
		reason    string
		published bool
		orphan    bool
		want      string
		names     []string
	}{
		"draft": {
			reason: "an old draft goes", want: "eu created: " + moved + "; " + first + " deleted",
			names: []string{"heads/drafts/emea/shop/packagevariant-1"},
		},
		"published": {
			reason: "an old release is proposed for deletion", published: true,
			want:  "eu created: " + moved + "; " + first + " proposed for deletion",
			names: []string{"heads/deletionProposed/eu/shop/v1", "heads/drafts/emea/shop/packagevariant-1", "tags/eu/shop/v1"},
		},
		"orphan": {
			reason: "with deletionPolicy orphan it stays", orphan: true, want: "eu created: " + moved,
			names: []string{"heads/drafts/emea/shop/packagevariant-1", "heads/drafts/eu/shop/packagevariant-1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			f.reconcile()
			if tc.published {
				f.publish(first)
			}
			if tc.orphan {
				f.edit("eu.yaml", "spec:\n  upstream", "spec:\n  deletionPolicy: orphan\n  upstream")
			}
			f.edit("eu.yaml", "package: eu/shop", "package: emea/shop")
			f.expect(tc.reason, tc.want)
			if diff := cmp.Diff(tc.names, f.names()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			f.expectQuiet("a second run changes nothing", "eu unchanged: deployments.emea.shop.packagevariant-1"+unchanged)
		})
	}
}

// TestRetireOnlyForASuccessor wants the old package in place as long as the new one cannot be made.
func TestRetireOnlyForASuccessor(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		edit   []string
		want   string
	}{
		"render": {"a function that fails", []string{"eu/shop", "emea/shop", "example.com/note:v1", "example.com/refuse:v1"},
			`eu failed: render package "emea/shop": function "example.com/refuse:v1" (step 1): ConfigMap app (app.yaml) app is not to my taste`},
		"name": {"a name that the repository refuses", []string{"eu/shop", "EMEA/shop"},
			`eu failed: create draft of package "EMEA/shop", workspace "packagevariant-1": package name segment "EMEA": ` +
				`a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an ` +
				`alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			f.reconcile()
			f.edit("eu.yaml", tc.edit...)
			f.expectQuiet(tc.reason, tc.want)
		})
	}
}

// TestRestore wants back what is proposed for deletion.
func TestRestore(t *testing.T) {
	f := published(t)
	s := f.store()
	if _, err := s.ProposeDeletion(ctx, f.revision(s, first)); err != nil {
		t.Fatal(err)
	}
	f.expect("a revision that is wanted is not deleted",
		"eu updated: "+first+": "+first+" is no longer proposed for deletion")
	if diff := cmp.Diff([]string{"tags/eu/shop/v1"}, f.names()); diff != "" {
		t.Error(diff)
	}
	f.expectQuiet("and then rests", "eu unchanged: "+first+unchanged)

	s = f.store()
	if _, err := s.ProposeDeletion(ctx, f.revision(s, first)); err != nil {
		t.Fatal(err)
	}
	f.edit("eu.yaml", "region: eu", "region: emea")
	f.expect("nor is one that a draft is made of",
		"eu created: "+second+": edited from "+first+"; "+first+" is no longer proposed for deletion")
}

// TestRelease deletes a variant, as far as a file can say so.
func TestRelease(t *testing.T) {
	for name, tc := range map[string]struct {
		reason  string
		arrange func(f *fleet)
		want    string
		names   []string
	}{
		"draft":     {"its draft goes", func(f *fleet) { f.reconcile() }, "eu updated: " + first + " deleted", nil},
		"published": {"its release is proposed for deletion", func(f *fleet) { f.reconcile(); f.publish(first) }, "eu updated: " + first + " proposed for deletion", []string{"heads/deletionProposed/eu/shop/v1", "tags/eu/shop/v1"}},
		"nothing":   {"nothing to do", func(*fleet) {}, "eu unchanged: nothing to change", nil},
		"invalid":   {"a variant that is wrong can still go", func(f *fleet) { f.edit("eu.yaml", "    package: shop\n", "") }, "eu unchanged: nothing to change", nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			tc.arrange(f)
			f.edit("eu.yaml", "  namespace: fleet\n", "  namespace: fleet\n  deletionTimestamp: 2026-01-01T00:00:00Z\n")
			f.expect(tc.reason, tc.want)
			if diff := cmp.Diff(tc.names, f.names()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestReleaseBesideAnUnreadRepository deletes a variant while a Repository cannot be read: what it made may be there,
// which does not matter when all is left behind.
func TestReleaseBesideAnUnreadRepository(t *testing.T) {
	for name, lose := range map[string]func(f *fleet){
		"another":  func(f *fleet) { f.write("lost.yaml", repository("lost", "../lost.git", "")) },
		"upstream": func(f *fleet) { f.edit("repositories.yaml", "../blueprints.git", "../lost.git") },
		"its own":  func(f *fleet) { f.edit("repositories.yaml", "../deployments.git", "../lost.git") },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			f.reconcile()
			lose(f)
			f.delete()
			f.unmoved("nothing is retired, and the message says what to do", func() {
				got := f.reconcile()[0]
				for _, want := range []string{"nothing is retired while a Repository cannot be read", "make it readable, delete the Repository object, or set spec.deletionPolicy \"orphan\": repository fleet/"} {
					if got.Err == nil || !strings.Contains(got.Message, want) {
						t.Errorf("want %q, got %q", want, got.Message)
					}
				}
			})
			f.edit("eu.yaml", "spec:\n", "spec:\n  deletionPolicy: orphan\n")
			f.expectQuiet("what is left behind need not be read", "eu unchanged"+unchanged)
		})
	}
}
