package manager_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// TestSameAsFiles gives the same objects to a cluster and, as files, to the local controller: the
// commits are the same, to the byte.
func TestSameAsFiles(t *testing.T) {
	w := newEnv(t)
	w.start()
	w.apply(w.objects["eu.yaml"])
	w.eventually("the cluster drafts", good, func() string { return w.ready("packagevariant/eu") })
	inCluster := gittest.Refs(t, w.dirs["deployments"])

	dir := gittest.NewBare(t)
	gittest.Commit(t, dir, gittest.Change{Message: "The fleet begins\n"})
	before, _, _ := strings.Cut(w.objects["deployments.yaml"], "repo: ")
	var files []string
	for _, text := range []string{w.objects["blueprints.yaml"], before + "repo: " + dir + "\n", w.objects["lyon.yaml"], w.objects["eu.yaml"]} {
		files = append(files, strings.Replace(text, "metadata:\n", "metadata:\n  namespace: "+w.namespace+"\n", 1))
	}
	in, err := local.Read([]string{"-"}, strings.NewReader(strings.Join(files, "---\n")))
	if err != nil {
		t.Fatal(err)
	}
	r := reconciler.Reconciler{Repositories: in.Repositories(nil), Functions: noFunctions{}, Context: in.Lister}
	if rep := r.ReconcileAll(t.Context(), in.Variants, nil)[0]; rep.Err != nil {
		t.Fatal(rep.Err)
	}
	if diff := cmp.Diff(inCluster, gittest.Refs(t, dir)); diff != "" {
		t.Errorf("the same objects give the same commits (-cluster +files):\n%s", diff)
	}
}
