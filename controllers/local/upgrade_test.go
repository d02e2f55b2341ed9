package local_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

const secondDraft = "drafts/eu/shop/packagevariant-2"

// TestUpgrade moves the upstream on under a published package: what upstream changed arrives, and
// the variant's own mutations are made again.
func TestUpgrade(t *testing.T) {
	f := published(t)
	f.moveTo(2, map[string]*string{
		"shop/app.yaml":  f.upstream("shop/app.yaml", "hello", "good day"),
		"shop/new.yaml":  f.upstream("shop/app.yaml", "name: app", "name: new"),
		"shop/README.md": nil,
	})
	reports := f.expect("a newer upstream makes a new draft",
		"eu created: deployments.eu.shop.packagevariant-2: upgraded from shop/v1")
	if diff := cmp.Diff([]string{"Kptfile", "README.md", "app.yaml", "new.yaml"}, reports[0].Files); diff != "" {
		t.Errorf("the report names what the draft changes (-want +got):\n%s", diff)
	}
	before, after := f.files("eu/shop/v1", "eu/shop"), f.files(secondDraft, "eu/shop")
	want := map[string]string{
		"Kptfile": replace(t, before["Kptfile"], "ref: shop/v1", "ref: shop/v2",
			gittest.Git(t, f.path("blueprints.git"), "rev-parse", "shop/v1"), gittest.Git(t, f.path("blueprints.git"), "rev-parse", "shop/v2")),
		"app.yaml":             replace(t, before["app.yaml"], "hello", "good day"),
		"new.yaml":             replace(t, before["app.yaml"], "hello", "good day", "name: app", "name: new", "|app", "|new", "/app", "/new"),
		"package-context.yaml": before["package-context.yaml"],
		"site.yaml":            before["site.yaml"],
	}
	want["new.yaml"] = replace(t, want["new.yaml"], "good day", "hello")
	if diff := cmp.Diff(want, after); diff != "" {
		t.Errorf("the draft (-want +got):\n%s", diff)
	}
	annotation := `kpt:{"package":"eu/shop","workspaceName":"packagevariant-2","revision":"0","task":{"type":"upgrade","upgrade":{` +
		`"oldUpstreamRef":{"name":"blueprints.shop.v1"},"newUpstreamRef":{"name":"blueprints.shop.v2"},` +
		`"localPackageRevisionRef":{"name":"deployments.eu.shop.packagevariant-1"},"strategy":"resource-merge"}}}`
	if got := f.git("show", "-s", "--format=%P%n%B", secondDraft); got != f.git("rev-parse", "main")+"\nUpgrading revision\n\n\n"+annotation+"\n\nWaybill-Owner: PackageVariant fleet/eu\nWaybill-Repository: deployments\n" {
		t.Errorf("one commit on main that says where it comes from; got\n%s", got)
	}
	f.expectQuiet("a second run changes nothing",
		"eu unchanged: deployments.eu.shop.packagevariant-2: nothing to change")

	f.release(3, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "good day", "howdy")})
	f.edit("eu.yaml", "revision: 2", "revision: 3")
	f.expectQuiet("an open draft is in the way of the next upgrade",
		`eu blocked: cannot update upstream of downstream "deployments.eu.shop.packagevariant-2" when it is not published: publish or delete it, or set the annotation waybill.dev/open-draft: recreate`)
	f.publish("deployments.eu.shop.packagevariant-2")
	f.expect("published, it no longer is",
		"eu created: deployments.eu.shop.packagevariant-3: upgraded from shop/v2")
	if got := f.show("drafts/eu/shop/packagevariant-3", "eu/shop/app.yaml"); !strings.Contains(got, "howdy") {
		t.Errorf("upstream's word arrives; got\n%s", got)
	}

	f.publish("deployments.eu.shop.packagevariant-3")
	f.edit("eu.yaml", "revision: 3", "revision: 1")
	f.expect("downgrades are treated like upgrades",
		"eu created: deployments.eu.shop.packagevariant-4: upgraded from shop/v3")
	want = before
	if diff := cmp.Diff(want, f.files("drafts/eu/shop/packagevariant-4", "eu/shop")); diff != "" {
		t.Errorf("back at the beginning (-want +got):\n%s", diff)
	}
}

const advice = `make the files agree with either side in a draft of your own, publish it, and reconcile again with spec.adoptionPolicy "adoptExisting"`

// TestUpgradeMerges changes the published package and the blueprint, and looks at who wins.
func TestUpgradeMerges(t *testing.T) {
	const untouched = "eu created: deployments.eu.shop.packagevariant-2: upgraded from shop/v1"
	type texts []string
	for name, tc := range map[string]struct {
		reason   string
		local    map[string]texts // edits of the first draft before it is published; nil deletes
		upstream map[string]texts
		variant  texts  // edits of the PackageVariant
		want     string // message
		draft    map[string]string
		gone     string // a file that the draft has not
	}{
		"local edit": {
			reason:   "a file that only we changed keeps our change",
			local:    map[string]texts{"app.yaml": {"hello", "hullo"}},
			upstream: map[string]texts{"README.md": {"A shop", "The shop"}},
			want:     untouched,
			draft:    map[string]string{"app.yaml": `greeting: "hullo" # said at the door`, "README.md": "# The shop"},
		},
		"local Kptfile edit": {
			reason:   "the lock that every upgrade moves does not conflict with an edit of the Kptfile",
			local:    map[string]texts{"Kptfile": {"A shop.", "Our shop."}},
			upstream: map[string]texts{"app.yaml": {"hello", "good day"}},
			want:     untouched,
			draft:    map[string]string{"Kptfile": "description: Our shop. # kept as it is", "app.yaml": "good day"},
		},
		"conflict": {
			reason:   "a field that both changed stops the upgrade, by name and with what is at stake",
			local:    map[string]texts{"app.yaml": {"hello", "hullo"}},
			upstream: map[string]texts{"app.yaml": {"hello", "good day"}},
			want: "eu failed: upgrade to shop/v2 conflicts with local edits, and nothing was changed: " +
				"app.yaml ConfigMap app data.greeting: base hello, upstream good day, local hullo → undecided; " + advice,
		},
		"two conflicts": {
			reason:   "every place is named at once",
			local:    map[string]texts{"app.yaml": {"hello", "hullo"}, "README.md": {"A", "Our"}},
			upstream: map[string]texts{"app.yaml": {"hello", "good day"}, "README.md": {"A", "The"}},
			want: "eu failed: upgrade to shop/v2 conflicts with local edits, and nothing was changed: README.md: upstream changed it, local changed it → undecided; " +
				"app.yaml ConfigMap app data.greeting: base hello, upstream good day, local hullo → undecided; " + advice,
		},
		"two fields of one object": {
			reason:   "what each side changed of one object is there",
			local:    map[string]texts{"app.yaml": {"data:\n", "data:\n  door: open\n"}},
			upstream: map[string]texts{"app.yaml": {"hello", "good day"}},
			want:     untouched,
			draft:    map[string]string{"app.yaml": "  door: open\n  greeting: \"good day\" # said at the door"},
		},
		"function edits": {
			reason:   "a pipeline of our own and a newer one of upstream's, beside the variant's",
			local:    map[string]texts{"Kptfile": {"tier: upstream", "tier: upstream\n      team: ours"}},
			upstream: map[string]texts{"Kptfile": {"tier: upstream", "tier: newer"}, "app.yaml": {"hello", "good day"}},
			want:     untouched,
			draft: map[string]string{"Kptfile": "    name: PackageVariant.eu.region.0\n" +
				"  - image: example.com/note:v1\n    configMap:\n      tier: newer\n      team: ours\nstatus:\n", "app.yaml": "note-team: 'ours'"},
		},
		"deleted upstream": {
			reason:   "an object that only functions changed goes",
			upstream: map[string]texts{"app.yaml": nil},
			want:     untouched,
			gone:     "app.yaml",
		},
		"deleted README": {
			reason:   "a file that is not wanted here, and that upstream left alone, is no conflict and stays away",
			local:    map[string]texts{"README.md": nil},
			upstream: map[string]texts{"app.yaml": {"hello", "good day"}},
			want:     untouched,
			gone:     "README.md",
		},
		"agreement": {
			reason:   "the same change on both sides is none",
			local:    map[string]texts{"app.yaml": {"hello", "good day"}},
			upstream: map[string]texts{"app.yaml": {"hello", "good day"}},
			want:     untouched,
			draft:    map[string]string{"app.yaml": "good day"},
		},
		"variant changes too": {
			reason:   "what the variant wants differently now is not taken for a local edit",
			upstream: map[string]texts{"app.yaml": {"hello", "good day"}, "Kptfile": {"A shop", "The shop"}},
			variant: texts{"region: eu", "region: emea", "spec:\n  upstream", "spec:\n  labels:\n    tier: gold\n  upstream",
				"      name: region\n", ""},
			want: untouched,
			draft: map[string]string{"app.yaml": "note-region: 'emea'", "package-context.yaml": "region: emea",
				"Kptfile": "tier: gold"},
		},
		"short names": {
			reason:   "a name that an earlier version wrote stays, in the Kptfile and in the package context",
			local:    map[string]texts{"Kptfile": {"name: eu/shop", "name: shop"}, "package-context.yaml": {"name: eu/shop", "name: shop"}},
			upstream: map[string]texts{"app.yaml": {"hello", "good day"}},
			want:     untouched,
			draft:    map[string]string{"app.yaml": "good day", "Kptfile": "  name: shop\n", "package-context.yaml": "  name: shop\n"},
		},
		"by Porch": {
			reason:   "Porch loses the comment of metadata in flow style, and the annotation names the upstream object",
			local:    map[string]texts{"app.yaml": {"metadata: # kpt-merge: /app # what it is\n  name: app\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|default|app'\n    note-region: 'eu'\n    note-tier: 'upstream'\n", "metadata: {name: app, namespace: emea, annotations: {internal.kpt.dev/upstream-identifier: '|ConfigMap|default|app', note-region: 'eu', note-tier: 'upstream'}}\n"}},
			upstream: map[string]texts{"app.yaml": {"hello", "good day"}},
			want:     untouched,
			draft:    map[string]string{"app.yaml": "metadata: # kpt-merge: /app\n  name: app\n  namespace: emea\n  annotations: {internal.kpt.dev/upstream-identifier: '|ConfigMap|default|app', note-region: 'eu', note-tier: 'upstream'}\ndata:\n  greeting: \"good day\" # said at the door\n"},
		},
		"force-delete-replace": {
			reason:   "the package's own updateStrategy drops local edits, and stays",
			local:    map[string]texts{"app.yaml": {"hello", "hullo"}, "Kptfile": {"    ref: shop/v1\nupstreamLock", "    ref: shop/v1\n  updateStrategy: force-delete-replace\nupstreamLock"}},
			upstream: map[string]texts{"app.yaml": {"hello", "good day"}},
			want:     untouched,
			draft:    map[string]string{"app.yaml": "good day", "Kptfile": "    ref: shop/v2\n  updateStrategy: force-delete-replace\nupstreamLock"},
		},
		"copy-merge": {
			reason:   "upstream's files replace edited and deleted ones",
			local:    map[string]texts{"app.yaml": {"hello", "hullo"}, "README.md": nil, "Kptfile": {"    ref: shop/v1\nupstreamLock", "    ref: shop/v1\n  updateStrategy: copy-merge\nupstreamLock"}},
			upstream: map[string]texts{"app.yaml": {"hello", "good day"}},
			want:     untouched,
			draft:    map[string]string{"app.yaml": "good day", "README.md": "# A shop", "Kptfile": "    ref: shop/v2\n  updateStrategy: copy-merge\nupstreamLock"},
		},
		"unknown strategy": {
			reason:   "it is not taken for the default",
			local:    map[string]texts{"Kptfile": {"    ref: shop/v1\nupstreamLock", "    ref: shop/v1\n  updateStrategy: alpha-git-patch\nupstreamLock"}},
			upstream: map[string]texts{"app.yaml": {"hello", "good day"}},
			want:     "eu failed: Kptfile: upstream.updateStrategy: unrecognized update strategy alpha-git-patch",
		},
		"fast-forward": {
			reason:   "a package that was not edited takes upstream's changes",
			local:    map[string]texts{"Kptfile": {"    ref: shop/v1\nupstreamLock", "    ref: shop/v1\n  updateStrategy: fast-forward\nupstreamLock"}},
			upstream: map[string]texts{"app.yaml": {"hello", "good day"}},
			want:     untouched,
			draft:    map[string]string{"app.yaml": "good day", "Kptfile": "    ref: shop/v2\n  updateStrategy: fast-forward\nupstreamLock"},
		},
		"fast-forward, edited": {
			reason:   "a package that was edited does not",
			local:    map[string]texts{"app.yaml": {"hello", "hullo"}, "Kptfile": {"    ref: shop/v1\nupstreamLock", "    ref: shop/v1\n  updateStrategy: fast-forward\nupstreamLock"}},
			upstream: map[string]texts{"README.md": {"A shop", "The shop"}},
			want:     "eu failed: the package was edited, and upstream.updateStrategy of its Kptfile is fast-forward: app.yaml; choose resource-merge there, or undo the edits",
		},
		"upstream breaks": {
			reason:   "an upstream that cannot be rendered is not drafted",
			upstream: map[string]texts{"Kptfile": {"example.com/note:v1\n    configMap:\n      tier: upstream", "example.com/refuse:v1"}},
			want:     `eu failed: render package "eu/shop": function "example.com/refuse:v1" (step 2): ConfigMap app (app.yaml) app is not to my taste`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			f.reconcile()
			edits := map[string]*string{}
			for file, oldnew := range tc.local {
				if edits["eu/shop/"+file] = nil; oldnew == nil {
					continue
				}
				text := replace(t, f.show(firstDraft, "eu/shop/"+file), oldnew...)
				edits["eu/shop/"+file] = &text
			}
			if len(edits) > 0 {
				f.commit(firstDraft, edits)
			}
			f.publish("deployments.eu.shop.packagevariant-1")
			release := map[string]*string{}
			for file, oldnew := range tc.upstream {
				if release["shop/"+file] = nil; oldnew != nil {
					release["shop/"+file] = f.upstream("shop/"+file, oldnew...)
				}
			}
			f.moveTo(2, release)
			f.edit("eu.yaml", tc.variant...)
			if tc.want != untouched {
				f.expectQuiet(tc.reason, tc.want)
				return
			}
			f.expect(tc.reason, tc.want)
			for file, text := range tc.draft {
				if got := f.show(secondDraft, "eu/shop/"+file); !strings.Contains(got, text) {
					t.Errorf("%s: %s has no %q:\n%s", tc.reason, file, text, got)
				}
			}
			if _, stays := f.files(secondDraft, "eu/shop")[tc.gone]; stays {
				t.Errorf("%s: %s is still there", tc.reason, tc.gone)
			}
			f.expectQuiet("a second run changes nothing", "eu unchanged: deployments.eu.shop.packagevariant-2: nothing to change")
		})
	}
}

// TestConflictIsSettled follows the advice that the conflict's error gives.
func TestConflictIsSettled(t *testing.T) {
	f := newFleet(t)
	f.reconcile()
	ours := replace(t, f.show(firstDraft, "eu/shop/app.yaml"), "hello", "hullo")
	f.commit(firstDraft, map[string]*string{"eu/shop/app.yaml": &ours})
	f.publish("deployments.eu.shop.packagevariant-1")
	f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
	reports := f.reconcile()
	if reports[0].Err == nil || !strings.Contains(reports[0].Err.Error(), "app.yaml ConfigMap app data.greeting: base hello") {
		t.Fatalf("want a conflict, got %+v", reports[0])
	}
	theirs := replace(t, ours, "hullo", "good day")
	f.git("branch", "drafts/eu/shop/mine", "eu/shop/v1")
	f.commit("drafts/eu/shop/mine", map[string]*string{"eu/shop/app.yaml": &theirs})
	f.publish("deployments.eu.shop.mine")
	f.edit("eu.yaml", "spec:\n  upstream", "spec:\n  adoptionPolicy: adoptExisting\n  upstream")
	f.expect("once the files agree, the upgrade goes through",
		"eu created: deployments.eu.shop.packagevariant-2: upgraded from shop/v1"+adopts("deployments.eu.shop.mine"))
	if got := f.show(secondDraft, "eu/shop/app.yaml"); got != theirs {
		t.Errorf("the file is as it was agreed on; got\n%s", got)
	}
}

// TestUpgradeToAnEmptiedFile has upstream empty a file: its objects stay until the file is removed, or says that it is meant.
func TestUpgradeToAnEmptiedFile(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"empty":     {"---\n", "eu failed: upstream blueprints.shop.v2: app.yaml holds no object and no comment upstream any more, and an update would delete its objects here: restore or remove the file upstream or, if its objects are to be deleted, delete the file here first"},
		"commented": {"# nothing here\n", "eu created: deployments.eu.shop.packagevariant-2: upgraded from shop/v1"},
	} {
		t.Run(name, func(t *testing.T) {
			f := published(t)
			f.moveTo(2, map[string]*string{"shop/app.yaml": &tc.text})
			f.expect("what is ambiguous deletes nothing", tc.want)
		})
	}
}

// TestUpgradeOfGeneratedFiles lets both sides change what a function sums up: its file follows from
// the others, and is no conflict.
func TestUpgradeOfGeneratedFiles(t *testing.T) {
	f := newFleet(t)
	f.edit("eu.yaml", "    - image: example.com/note:v1\n      name: region\n      configMap:\n        region: eu\n", "    - image: example.com/index:v1\n")
	f.reconcile()
	ours := replace(t, f.show(firstDraft, "eu/shop/app.yaml"), "name: app\n", "name: ours\n", "hello", "hullo")
	f.commit(firstDraft, map[string]*string{"eu/shop/ours.yaml": &ours})
	f.publish(first)
	f.moveTo(2, map[string]*string{"shop/new.yaml": f.upstream("shop/app.yaml", "name: app", "name: new", "hello", "good day")})
	f.expect("both sides' additions are there", "eu created: "+second+": upgraded from shop/v1")
	if got := f.show(secondDraft, "eu/shop/generated/index.yaml"); !strings.HasSuffix(got, "  greetings:\n  - 'app: hello'\n  - 'new: good day'\n  - 'ours: hullo'\n") {
		t.Errorf("and the index holds them; got\n%s", got)
	}
}
