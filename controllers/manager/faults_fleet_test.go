package manager_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// fleet is an environment of several variants, whose controllers a test holds, cuts off and ends.
type fleet struct {
	*env
	admin client.Client
	local *localFleet // what files make of the same objects
}

// newFleet is an environment with these variants. No controller runs yet.
func newFleet(t testing.TB, variants []string, served ...gittest.Option) *fleet {
	t.Helper()
	f := &fleet{env: newEnv(t, served...)}
	scheme := runtime.NewScheme()
	err := errors.Join(porchconfig.AddToScheme(scheme), v1alpha2.AddToScheme(scheme), eventsv1.AddToScheme(scheme))
	if err == nil {
		f.admin, err = client.New(f.Admin(), client.Options{Scheme: scheme})
	}
	if err != nil {
		t.Fatal(err)
	}
	f.local = newLocalFleet(f)
	for _, name := range []string{"blueprints.yaml", "lyon.yaml"} {
		f.local.put(name, f.objects[name])
	}
	f.local.put("deployments.yaml", f.elsewhere(f.local.dir))
	for _, name := range variants {
		f.put(name, f.variant(name))
	}
	return f
}

// variant is the environment's variant under another name, with another package.
func (f *fleet) variant(name string) string {
	return strings.NewReplacer("name: eu\n", "name: "+name+"\n", "eu/shop", name+"/shop").Replace(f.objects["eu.yaml"])
}

// put gives an object to the cluster and, under a name, to the files.
func (f *fleet) put(name, object string) {
	f.Helper()
	f.local.put(name, object)
	f.apply(object)
}

// elsewhere is the Repository of the deployments at another place.
func (f *fleet) elsewhere(dir string) string {
	before, _, _ := strings.Cut(f.objects["deployments.yaml"], "repo: ")
	return before + "repo: " + dir + "\n"
}

// await waits until something is as it should be. In a failing test it shows what there is.
func (f *fleet) await(reason, want string, get func() string) {
	f.Helper()
	const patience = time.Minute
	got := get()
	for began := time.Now(); got != want && time.Since(began) < patience; got = get() {
		time.Sleep(20 * time.Millisecond)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.Fatalf("%s (-want +got):\n%s\nvariants:\n%s\nrefs:\n%s\nlog:\n%s", reason, diff, f.states(), f.allRefs(), tail(f.log.String()))
	}
}

// tail is the end of a log.
func tail(log string) string {
	const most = 10_000
	return log[max(0, len(log)-most):]
}

// states is a line for each variant: what its Ready condition says, and its revisions.
func (f *fleet) states() string {
	var list porchconfig.PackageVariantList
	if err := f.admin.List(f.Context(), &list, client.InNamespace(f.namespace)); err != nil {
		return err.Error() // a server that is down comes again
	}
	var lines []string
	for i := range list.Items {
		lines = append(lines, state(&list.Items[i]))
	}
	return strings.Join(lines, "\n")
}

func state(pv *porchconfig.PackageVariant) string {
	line := pv.Name
	for _, kind := range []string{porchconfig.ConditionStalled, porchconfig.ConditionReady} {
		if c := meta.FindStatusCondition(pv.Status.Conditions, kind); c != nil {
			line += fmt.Sprintf("; %s %s %s: %s", c.Type, c.Status, c.Reason, c.Message)
		}
	}
	for _, target := range pv.Status.DownstreamTargets {
		line += "; " + target.Name
	}
	return line
}

// well is the state of a variant that has this revision and wants for nothing.
func well(variant, revision string) string {
	return variant + "; Stalled False Valid: all validation checks passed; Ready " + good + "; " + revision
}

// drafted is the state of variants that have their first drafts, by name.
func drafted(variants ...string) string {
	var lines []string
	for _, name := range variants {
		lines = append(lines, well(name, "deployments."+name+".shop.packagevariant-1"))
	}
	return strings.Join(lines, "\n")
}

// allRefs are the refs of the deployments and where they are.
func (f *fleet) allRefs() string {
	f.Helper()
	return gittest.Refs(f, f.dirs["deployments"])
}

// settled wants variants to come to these states and the deployments to hold what files give; Git to find
// nothing wrong; and that to be all: a new controller, which looks at everything, has nothing to write.
func (f *fleet) settled(p *process, states string) *process {
	f.Helper()
	f.await("the repository holds what is wanted, and no more", f.local.reconcile(), f.allRefs)
	f.await("all variants know it", states, f.states)
	for _, dir := range f.dirs {
		gittest.Fsck(f, dir)
	}
	p.end()
	before := f.written()
	next := f.launch(setup{})
	f.await("a new controller looks at every variant and finds nothing to do", "true", func() string {
		variants, did := next.passed()
		return fmt.Sprint(variants >= strings.Count(states, "\n")+1) + did
	})
	if diff := cmp.Diff(before, f.written()); diff != "" {
		f.Errorf("a new controller writes something (-before +after):\n%s", diff)
	}
	return next
}

// written is the version of everything that controllers write, but for Repositories: they are looked at
// all the time, and say when.
func (f *fleet) written() map[string]string {
	f.Helper()
	out := map[string]string{"refs": f.allRefs()}
	for _, list := range []client.ObjectList{&porchconfig.PackageVariantList{}, &v1alpha2.PackageVariantSetList{}, &eventsv1.EventList{}} {
		if err := f.admin.List(f.Context(), list, client.InNamespace(f.namespace)); err != nil {
			f.Fatal(err)
		}
		if err := meta.EachListItem(list, func(o runtime.Object) error {
			obj := o.(client.Object)
			out[fmt.Sprintf("%T %s", o, obj.GetName())] = obj.GetResourceVersion()
			return nil
		}); err != nil {
			f.Fatal(err)
		}
	}
	return out
}
