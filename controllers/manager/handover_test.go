package manager_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestRenamed gives a published package to a variant of another name: it waits until the first is gone.
func TestRenamed(t *testing.T) {
	w := newEnv(t)
	w.start()
	eu := strings.Replace(w.objects["eu.yaml"], "spec:\n", "spec:\n  deletionPolicy: orphan\n", 1)
	w.apply(w.objects["eu.yaml"])
	w.eventually("the first has it", good, func() string { return w.ready("packagevariant/eu") })
	w.publish(first)
	before := gittest.Refs(t, w.dirs["deployments"])
	w.apply(strings.NewReplacer("name: eu\n", "name: heir\n", "spec:\n", "spec:\n  adoptionPolicy: adoptExisting\n").Replace(w.objects["eu.yaml"]))
	w.eventually("the second has to wait", "False", func() string { return w.conditionStatus("packagevariant/heir") })
	w.apply(eu)
	w.kubectl("", "patch", "packagevariant/eu", "--type=merge", "-p", `{"metadata":{"finalizers":["example.com/wait","config.porch.kpt.dev/packagevariants"]}}`)
	w.kubectl("", "delete", "packagevariant/eu", "--wait=false")
	w.eventually("the first is let go by the controller", `["example.com/wait"]`, func() string { return w.get("packagevariant/eu", "{.metadata.finalizers}") })
	passes := func() int { return strings.Count(w.log.String(), "msg=pass namespace="+w.namespace) }
	looked := passes()
	w.kubectl("", "annotate", "packagevariant/heir", "look=again")
	w.eventually("it is looked at again", "true", func() string { return strconv.FormatBool(passes() > looked) })
	if got := w.conditionStatus("packagevariant/heir"); got != "False" {
		t.Errorf("as long as the first is there, its package is not taken; Ready is %s", got)
	}
	w.kubectl("", "patch", "packagevariant/eu", "--type=merge", "-p", `{"metadata":{"finalizers":[]}}`)
	w.eventually("until the first is gone", good, func() string { return w.ready("packagevariant/heir") })
	w.eventually("its release is the second's now", first, func() string { return w.get("packagevariant/heir", "{.status.downstreamTargets[*].name}") })
	var now []string
	adopted := false
	for line := range strings.Lines(gittest.Refs(t, w.dirs["deployments"])) {
		if strings.HasSuffix(line, " refs/heads/waybill/adopted/eu/shop/revisions\n") {
			adopted = true
		} else {
			now = append(now, line)
		}
	}
	if got := strings.TrimSpace(strings.Join(now, "")); !adopted || got != strings.TrimSpace(before) {
		t.Errorf("the adoption is recorded: %v, and nothing else is written; before:\n%s\nnow:\n%s", adopted, before, got)
	}
}
