package local_test

import (
	"strings"
	"testing"
)

const (
	notTaken = `us blocked: downstream package "eu/shop" exists already in repo "deployments" (revision "` + first + `"): it belongs to PackageVariant fleet/eu` + howToTake

	howToTake = `; to take it over, delete that variant with spec.deletionPolicy "orphan" (in files, keep it and give it a metadata.deletionTimestamp), ` +
		`and set spec.adoptionPolicy "adoptExisting" here`
)

// adopts is the end of a message of a variant that adopted revisions.
func adopts(names ...string) string {
	return "; adopted " + strings.Join(names, ", ") + `, so that spec.deletionPolicy "delete" applies`
}

// adopter writes the variant us, which wants the package of eu and adopts.
func (f *fleet) adopter() {
	f.Helper()
	f.write("us.yaml", replace(f, f.variantFile(), "name: eu\n  namespace", "name: us\n  namespace", "spec:\n  upstream", "spec:\n  adoptionPolicy: adoptExisting\n  upstream"))
}

// TestRenamed gives a package to a variant of another name: its owner has to be there, and to let go of it.
func TestRenamed(t *testing.T) {
	const orphan = "  deletionPolicy: orphan\n"
	for name, tc := range map[string]struct {
		reason string
		change func(f *fleet)
		want   []string
	}{
		"lives":         {"the owner lives", func(*fleet) {}, []string{"eu unchanged: " + first + unchanged, notTaken}},
		"lives, orphan": {"the owner would let go of it, and lives", func(f *fleet) { f.edit("eu.yaml", "spec:\n", "spec:\n"+orphan) }, []string{"eu unchanged: " + first + unchanged, notTaken}},
		"file is gone":  {"a file that is gone says nothing", func(f *fleet) { f.remove("eu.yaml") }, []string{notTaken}},
		"does not adopt": {"nor is anything taken unasked", func(f *fleet) { f.orphan(); f.edit("us.yaml", "adoptExisting", "adoptNone") },
			[]string{"eu unchanged" + unchanged, strings.Replace(notTaken, howToTake, `, which does not want it any more; spec.adoptionPolicy "adoptExisting" takes it over`, 1)}},
		"other namespace": {"an owner of that name in another namespace says nothing", func(f *fleet) {
			f.orphan()
			f.edit("eu.yaml", "namespace: fleet", "namespace: other")
		}, []string{notTaken, `eu updated: Repository "deployments" does not exist any more: revisions in it stay`}},
	} {
		t.Run(name, func(t *testing.T) {
			f := published(t)
			f.adopter()
			tc.change(f)
			f.expectQuiet(tc.reason, tc.want...)
			f.expectQuiet(tc.reason+", done again", tc.want...)
		})
	}
	t.Run("orphaned", func(t *testing.T) {
		f := published(t)
		f.adopter()
		f.orphan()
		f.expect("the owner goes, and leaves it behind", "eu unchanged"+unchanged, "us created: "+second+": edited from "+first+adopts(first))
		f.expectQuiet("and that is it", "eu unchanged"+unchanged, "us unchanged: "+second+unchanged)
	})
	t.Run("goes", func(t *testing.T) {
		f := published(t)
		f.adopter()
		f.delete()
		f.expect("the owner goes, and another one wants it", `eu unchanged: nothing to change; `+first+` is kept: PackageVariant "us" wants it`,
			"us created: "+second+": edited from "+first+adopts(first))
	})
	t.Run("goes, does not adopt", func(t *testing.T) {
		f := published(t)
		f.adopter()
		f.edit("us.yaml", "adoptExisting", "adoptNone")
		f.delete()
		got := lines(f.reconcile())
		if want := "eu updated: " + first + " proposed for deletion"; got[0] != want {
			t.Errorf("the owner goes, and retires it: want %q, got %q", want, got)
		}
	})
	t.Run("made in the same pass", func(t *testing.T) { // the third variant has read what all want before eu has made anything
		f := newFleet(t)
		f.remove("eu.yaml")
		f.write("0.yaml", replace(t, f.variantFile(), "name: eu\n  namespace", "name: moves\n  namespace", "package: eu/shop", "package: asia/shop"))
		f.reconcile()
		f.edit("0.yaml", "package: asia/shop", "package: apac/shop")
		f.write("eu.yaml", f.variantFile())
		f.adopter()
		f.reconcile()
		f.expectQuiet("the owner lives", "eu unchanged: "+first+unchanged, "moves unchanged: deployments.apac.shop.packagevariant-1"+unchanged, notTaken)
	})
	t.Run("moves", func(t *testing.T) {
		f := published(t)
		f.adopter()
		f.edit("eu.yaml", "package: eu/shop", "package: eu/store")
		f.expect("the owner wants another package, and this one is taken over",
			"eu created: deployments.eu.store.packagevariant-1: cloned from blueprints.shop.v1; "+first+` is kept: PackageVariant "us" wants it`,
			"us created: "+second+": edited from "+first+adopts(first))
		f.expectQuiet("and then there is nothing to change",
			"eu unchanged: deployments.eu.store.packagevariant-1"+unchanged,
			"us unchanged: "+second+unchanged)
	})
}

// TestRenamedBesideAFailedSet has a variant want another package while it is not known what the variants of a set want.
func TestRenamedBesideAFailedSet(t *testing.T) {
	f := published(t)
	f.write("edge.yaml", replace(t, sites, "kind: Site", "kind: Sight"))
	f.edit("eu.yaml", "package: eu/shop", "package: eu/store")
	const kept = first + ` is kept: a PackageVariant of PackageVariantSet "edge" may want it, which failed`
	got := f.expand()
	if want := "eu created: deployments.eu.store.packagevariant-1: cloned from blueprints.shop.v1; " + kept; len(got) != 2 || got[1] != want {
		t.Fatalf("got %q, want the set to fail, and %q", got, want)
	}
	f.remove("edge.yaml")
	f.expect("the set is gone", "eu updated: deployments.eu.store.packagevariant-1: "+first+" proposed for deletion")
}

// orphan deletes the variant eu, which leaves its package behind.
func (f *fleet) orphan() {
	f.Helper()
	f.delete()
	f.edit("eu.yaml", "spec:\n", "spec:\n  deletionPolicy: orphan\n")
}

// TestRenamedGoesOn upgrades a package that another variant has left behind, and then forgets that one.
func TestRenamedGoesOn(t *testing.T) {
	f := published(t)
	f.adopter()
	f.orphan()
	f.release(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
	f.edit("us.yaml", "revision: 1", "revision: 2")
	f.expect("it follows upstream", "eu unchanged"+unchanged, "us created: "+second+": upgraded from shop/v1"+adopts(first))
	f.remove("eu.yaml")
	f.expectQuiet("with a draft of its own, it is the owner", "us unchanged: "+second+unchanged)
	f.publish(second)
	f.expectQuiet("which is the newest release then", "us unchanged: "+second+unchanged)
}

// TestRenamedSet gives the packages of a set to a set of another name.
func TestRenamedSet(t *testing.T) {
	const head = "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata:\n  name: old\n  namespace: fleet\nspec:\n" +
		"  upstream: {repo: blueprints, package: shop, revision: 1}\n  targets:\n  - repositories: [{name: deployments, packageNames: [eu/shop]}]\n"
	const orphan, adopt = "    template: {deletionPolicy: orphan}\n", "    template: {adoptionPolicy: adoptExisting}\n"
	const hint = "; config.injection.Site.site: no injectors defined"
	f := newFleet(t)
	f.remove("eu.yaml")
	f.write("old.yaml", head)
	f.expand()
	f.publish(first)
	f.write("new.yaml", replace(t, head, "name: old", "name: new")+adopt)
	f.write("old.yaml", replace(t, head, "  namespace", "  deletionTimestamp: \"2026-01-01T00:00:00Z\"\n  namespace")+orphan)
	f.expectSets("what the old set leaves behind is the new one's",
		"set new: +1 ~0 -0", "set old: +0 ~0 -0",
		"new-deployments-eu-shop updated: "+first+strings.Replace(adopts(first), ";", ":", 1)+hint, "old-deployments-eu-shop unchanged"+unchanged)
	f.expectQuietSets("and stays so",
		"set new: +0 ~1 -0", "set old: +0 ~0 -0",
		"new-deployments-eu-shop unchanged: "+first+unchanged+hint)
}
