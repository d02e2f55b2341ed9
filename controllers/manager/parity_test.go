package manager_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/inproc"
)

const limit = "apiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata:\n  name: careful\nspec:\n  maxObjects: "

// TestTwoHomes takes the same objects through their life twice, in a cluster and as files, with the same
// people at work in both: after every step all refs and all objects are the same, to the byte.
func TestTwoHomes(t *testing.T) {
	f := newFleet(t, nil)
	f.local.functions = stamping{}
	eu, fr := f.variant("eu")+stampPipeline, strings.Replace(f.variant("fr"), "revision: 1", "follow: latest", 1)
	nice := replaced(f.env, "lyon.yaml", "lyon", "nice")
	f.put("nice.yaml", nice)
	p := f.launch(setup{tune: func(o *manager.Options) { o.Functions = stamping{} }})
	steps := []struct {
		reason string
		quiet  bool // nothing is to be written
		do     func()
	}{
		{"a budget that is too small for all", true, func() { f.put("careful", limit+"1\n"); f.put("eu", eu); f.put("fr", fr); f.put("shops", shops) }},
		{"an exception, which the commit records", false, func() { f.put("fr", annotated(fr, "waybill.dev/exceed-budget: ticket 7")) }},
		{"a budget that is large enough", false, func() { f.put("careful", limit+"100\n") }},
		{"an edit and approvals by people", false, func() {
			f.both(func(dir string) {
				f.commit(dir, "drafts/eu/shop/packagevariant-1", "eu/shop/notes.txt", "ours\n")
				f.approve(dir, first)
				f.approve(dir, "deployments.fr.shop.packagevariant-1")
				f.approve(dir, "deployments.sites.nice.packagevariant-1")
			})
		}},
		{"an upstream that is released, and followed", false, func() {
			app := strings.Replace(gittest.Git(t, f.dirs["blueprints"], "show", "main:shop/app.yaml")+"\n", "hello", "good day", 1)
			f.release(2, map[string]*string{"shop/app.yaml": &app})
		}},
		{"the others move to it", false, func() {
			f.put("eu", strings.Replace(eu, "revision: 1", "revision: 2", 1))
			f.put("shops", strings.Replace(shops, "revision: 1", "revision: 2", 1))
		}},
		{"an approval of what followed", false, func() { f.both(func(dir string) { f.approve(dir, "deployments.fr.shop.packagevariant-2") }) }},
		{"context that changes, for what is published and what is not", false, func() { f.put("lyon.yaml", replaced(f.env, "lyon.yaml", "10.2", "10.7")) }},
		{"a set that shrinks", false, func() { f.kubectl("", "delete", "site/nice"); f.local.forget("nice.yaml") }},
		{"a set that names another Repository of the same deployments", true, func() {
			f.putSecond()
			f.put("shops", strings.NewReplacer("revision: 1", "revision: 2", "repo: deployments", "repo: second").Replace(shops))
		}},
		{"and has the old one again", true, func() { f.put("shops", strings.Replace(shops, "revision: 1", "revision: 2", 1)) }},
		{"a variant that is deleted, published as it was", false, func() { f.remove("eu") }},
	}
	for _, step := range steps {
		before := f.allRefs()
		step.do()
		f.await(step.reason, f.local.reconcile(), f.allRefs)
		if same := before == f.allRefs(); same != step.quiet {
			t.Fatalf("%s: nothing was written: %v; variants:\n%s\nrefs:\n%s", step.reason, same, f.states(), before)
		}
		f.await("and is known to be: "+step.reason, f.local.outcome(), f.conditions)
		if diff := cmp.Diff(objects(t, f.local.dir), objects(t, f.dirs["deployments"])); diff != "" {
			t.Fatalf("%s: files and cluster hold different objects (-files +cluster):\n%s", step.reason, diff)
		}
	}
	gittest.Fsck(t, f.dirs["deployments"])
	gittest.Fsck(t, f.local.dir)
	p.end()
}

// putSecond gives the deployments of both a second Repository object.
func (f *fleet) putSecond() {
	second := strings.NewReplacer("name: deployments", "name: second")
	f.local.put("second.yaml", second.Replace(f.local.files["deployments.yaml"]))
	f.apply(second.Replace(f.objects["deployments.yaml"]))
}

// both does something with files and in the cluster.
func (f *fleet) both(do func(dir string)) {
	do(f.dirs["deployments"])
	do(f.local.dir)
}

// outcome is a word for each variant that files leave, as conditions says it.
func (h *localFleet) outcome() string {
	h.Helper()
	h.reconcile() // what went has gone
	var words []string
	for _, rep := range h.variants {
		words = append(words, fmt.Sprintf("%s %s", rep.Name, map[bool]string{true: "True", false: "False"}[rep.Err == nil]))
	}
	return strings.Join(words, ", ")
}

// objects are all that a repository's refs lead to.
func objects(t testing.TB, dir string) string {
	return gittest.Git(t, dir, "rev-list", "--objects", "--all")
}

func annotated(object, annotation string) string {
	return strings.Replace(object, "metadata:\n", "metadata:\n  annotations:\n    "+annotation+"\n", 1)
}

const stampPipeline = "  pipeline:\n    mutators:\n    - image: example.com/stamp:v1\n"

// stamping knows one function, which stamps every ConfigMap.
type stamping struct{}

func (stamping) Prepare(_ context.Context, f *kptfilev1.Function) (runner.Runner, error) {
	if f.Image != "example.com/stamp:v1" {
		return noFunctions{}.Prepare(context.Background(), f)
	}
	return inproc.New(&fn.Function{Name: "stamp", Run: func(_ context.Context, in *fn.Input) (*fn.Output, error) {
		out := fn.NewOutput(in)
		for i, o := range out.Items {
			if o.Is("", "ConfigMap") && !o.IsLocalConfig() {
				out.Items[i] = o.DeepCopy()
				out.Items[i].SetAnnotation("stamped", "yes")
			}
		}
		return out, nil
	}}), nil
}
