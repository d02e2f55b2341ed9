package cluster_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/cluster"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestOverlap has two Repositories show the same: a draft stays, and both Repositories say so until one goes.
func TestOverlap(t *testing.T) {
	w := newWorld(t)
	w.start()
	_, url, _ := strings.Cut(w.objects["deployments.yaml"], "repo: ")
	second := "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: part\nspec:\n  type: git\n  git:\n    directory: eu\n    repo: " + strings.TrimSpace(strings.Split(url, "\n")[0]) + "/\n"
	w.apply(w.objects["eu.yaml"])
	w.eventually("a draft is made", good, func() string { return w.ready("packagevariant/eu") })
	w.apply(second)
	overlapping := func(name string) func() string {
		return func() string {
			return w.get("repository/"+name, `{range .status.conditions[?(@.type=="Overlapping")]}{.status} {.reason}{end}`)
		}
	}
	w.eventually("the new one overlaps", "True SameRevisions", overlapping("part"))
	w.eventually("and so does the other", "True SameRevisions", overlapping("deployments"))
	w.eventually("which is told", "2", func() string { return w.count("events", `{range .items[?(@.reason=="Overlapping")]}x{end}`) })
	w.kubectl("", "annotate", "packagevariant/eu", "look=again")
	w.eventually("the variant has all that it wants", "2", func() string {
		return map[bool]string{true: "2"}[strings.Count(w.log.String(), "msg=pass namespace="+w.namespace+" variants=1") >= 2]
	})
	w.eventually("and its draft", "heads/drafts/eu/shop/packagevariant-1", w.refs)
	w.kubectl("", "delete", "repository/part")
	w.eventually("an overlap ends", "", overlapping("deployments"))
}

// TestEditedDraft deletes a variant on whose draft somebody works: it waits.
func TestEditedDraft(t *testing.T) {
	w := newWorld(t)
	stop := w.start()
	w.apply(w.objects["eu.yaml"])
	w.eventually("a draft is made", good, func() string { return w.ready("packagevariant/eu") })
	gittest.Commit(t, w.dirs["deployments"], gittest.Change{Branch: "drafts/eu/shop/packagevariant-1", Files: gittest.Files(map[string]string{"eu/shop/README.md": "# Ours\n"})})
	w.kubectl("", "delete", "packagevariant/eu", "--wait=false")
	w.eventually("the variant waits", "False EditedDraft", func() string {
		return w.get("packagevariant/eu", `{range .status.conditions[?(@.type=="Ready")]}{.status} {.reason}{end}`)
	})
	w.eventually("which is told once", "1", func() string { return w.count("events", `{range .items[?(@.reason=="Kept")]}x{end}`) })
	w.eventually("and the draft is there", "heads/drafts/eu/shop/packagevariant-1", w.refs)
	stop()
	w.start(func(o *cluster.Options) { o.DeleteEditedDrafts = true })
	w.eventually("unless the operator lets it go", "", w.refs)
	w.eventually("with its variant", "", func() string { return w.get("packagevariant/eu", "{.metadata.name}") })
}
