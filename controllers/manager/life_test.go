package manager_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

const (
	draft1 = "heads/drafts/eu/shop/packagevariant-1"
	draft2 = "heads/drafts/eu/shop/packagevariant-2"
	good   = "True NoErrors: successfully ensured downstream package variant"
	first  = "deployments.eu.shop.packagevariant-1"
	second = "deployments.eu.shop.packagevariant-2"
)

// TestLife takes a variant through its life: a draft, what is injected changing, its publication, a
// newer upstream, and its end.
func TestLife(t *testing.T) {
	w := newEnv(t)
	w.start()
	w.apply(w.objects["eu.yaml"])
	w.eventually("a new variant is drafted", good, func() string { return w.ready("packagevariant/eu") })
	w.eventually("and no more than that", draft1, w.refs)
	w.eventually("its status names the draft", first, func() string { return w.get("packagevariant/eu", "{.status.downstreamTargets[*].name}") })
	w.eventually("it has what is to be injected", "10.2.0.0/16", w.cidr(draft1))
	w.eventually("it stays until its drafts are settled", `["config.porch.kpt.dev/packagevariants"]`, func() string { return w.get("packagevariant/eu", "{.metadata.finalizers}") })

	w.apply(strings.Replace(w.objects["lyon.yaml"], "10.2", "10.3", 1))
	w.eventually("what is injected changes the draft when it changes", "10.3.0.0/16", w.cidr(draft1))
	w.eventually("by one more commit", "3", func() string { return gittest.Git(w, w.dirs["deployments"], "rev-list", "--count", draft1) })

	w.publish(first)
	w.apply(strings.Replace(w.objects["eu.yaml"], "revision: 1", "revision: 2", 1))
	w.eventually("an upstream that is not there is waited for",
		"False Error: invalid packagevariant object", func() string { return w.ready("packagevariant/eu") })
	app := strings.Replace(gittest.Git(t, w.dirs["blueprints"], "show", "main:shop/app.yaml")+"\n", "hello", "good day", 1)
	w.release(2, map[string]*string{"shop/app.yaml": &app})
	w.eventually("when it comes, so does a draft", good, func() string { return w.ready("packagevariant/eu") })
	w.eventually("of the next revision", draft2+"\ntags/eu/shop/v1", w.refs)

	w.kubectl("", "delete", "packagevariant/eu", "--timeout=20s")
	w.eventually("the draft of a variant that is gone goes, what is published is proposed for deletion",
		"heads/deletionProposed/eu/shop/v1\ntags/eu/shop/v1", w.refs)
	gittest.Fsck(t, w.dirs["deployments"])
}

// cidr is what was injected into a draft.
func (w *env) cidr(ref string) func() string {
	return func() string {
		_, cidr, _ := strings.Cut(w.show(ref, "eu/shop/site.yaml"), "cidr: ")
		return strings.TrimSpace(cidr)
	}
}

// TestEditedDraft deletes a variant whose draft has a commit of a user: it waits.
func TestEditedDraft(t *testing.T) {
	w := newEnv(t)
	stop := w.start()
	w.apply(w.objects["eu.yaml"])
	w.eventually("a draft is made", good, func() string { return w.ready("packagevariant/eu") })
	gittest.Commit(t, w.dirs["deployments"], gittest.Change{Branch: "drafts/eu/shop/packagevariant-1", Files: gittest.Files(map[string]string{"eu/shop/README.md": "# Ours\n"})})
	w.kubectl("", "delete", "packagevariant/eu", "--wait=false")
	w.eventually("the variant waits", "False EditedDraft", func() string {
		return w.get("packagevariant/eu", `{range .status.conditions[?(@.type=="Ready")]}{.status} {.reason}{end}`)
	})
	w.eventually("which is reported once", "1", func() string { return w.count("events", `{range .items[?(@.reason=="Kept")]}x{end}`) })
	w.eventually("and the draft is there", "heads/drafts/eu/shop/packagevariant-1", w.refs)
	stop()
	w.start(func(o *manager.Options) { o.DeleteEditedDrafts = true })
	w.eventually("unless the operator lets it go", "", w.refs)
	w.eventually("with its variant", "", func() string { return w.get("packagevariant/eu", "{.metadata.name}") })
}
