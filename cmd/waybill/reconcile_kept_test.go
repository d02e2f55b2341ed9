package main

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestReconcileKeeps warns of two Repositories that show the same, and keeps a draft with commits of users.
func TestReconcileKeeps(t *testing.T) {
	testenv.Need(t, testenv.Git)
	r := newFleetRun(t)
	r.run("reconcile", "-f", "fleet")
	r.write("fleet/part.yaml", "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: part, namespace: fleet}\nspec: {type: git, git: {repo: ../deployments.git/, directory: eu}}\n")
	const warning = "warning: Repositories \"deployments\" and \"part\" of namespace \"fleet\" show the same revisions: both are the repository ../deployments.git, of which they show the directories \"\" and \"eu\"\n"
	table := tableHeader +
		"fleet/shop-eu  unchanged  deployments.eu.shop.packagevariant-1  shop/v1  -  nothing to change\n" +
		"fleet/shop-lab  unchanged  deployments.lab.shop.packagevariant-1  shop/v1  -  nothing to change\n" +
		"fleet/shop-us  unchanged  deployments.us.shop.packagevariant-1  shop/v1  -  nothing to change\n"
	r.unmoved("an overlap", func() {
		r.expect("is reported, and nothing else", exitDone, table, warning, "reconcile", "-f", "fleet")
	})

	gittest.Commit(t, r.path("deployments.git"), gittest.Change{Branch: "drafts/eu/shop/packagevariant-1", Files: gittest.Files(map[string]string{"eu/shop/README.md": "# Ours\n"})})
	variants := r.read("fleet/variants.yaml")
	r.write("fleet/variants.yaml", strings.Replace(variants, "package: eu/shop", "package: asia/shop", 1))
	kept := strings.Replace(table, "unchanged  deployments.eu.shop.packagevariant-1  shop/v1  -  nothing to change", "kept  -  -  -  see below", 1)
	tip := gittest.Git(t, r.path("deployments.git"), "rev-parse", "drafts/eu/shop/packagevariant-1")
	said := warning + "error: fleet/shop-eu: deployments.eu.shop.packagevariant-1 is Draft, is no longer wanted and holds commits by others up to " + tip +
		": it is kept, and nothing is changed until it is published or deleted, or --delete-edited-drafts is given\n"
	r.unmoved("a draft with commits by others", func() {
		r.expect("stays", exitFailed, kept, said, "reconcile", "-f", "fleet")
		r.expect("and stays", 2, kept, said, "reconcile", "-f", "fleet", "--exit-code")
	})
	if out, _, code := r.run("reconcile", "-f", "fleet", "--delete-edited-drafts"); code != exitDone || !strings.Contains(out, "deployments.eu.shop.packagevariant-1 deleted, with commits by others up to "+tip) {
		t.Errorf("unless it may go: exit status %d, %s", code, out)
	}
}
