package cluster_test

import (
	"testing"

	"github.com/waybill-dev/waybill/controllers/cluster"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

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
