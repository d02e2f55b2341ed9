package render

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render/load"
)

// emptied are files that hold no object and no comment, which is what a redirection or a killed program leaves, and the generated
// objects that may come from what the files held. For a package without such files it is empty.
type emptied struct {
	files  []string
	before generated
}

func emptiedOf(root *load.Package, read []*krm.Object) (e emptied) {
	if e.files = root.EmptyFiles(); len(e.files) > 0 {
		e.before = generatedIn(read)
	}
	return e
}

// check refuses a render that deletes a generated object.
func (e emptied) check(items []*krm.Object) error {
	if len(e.before) == 0 {
		return nil
	}
	deleted := e.before.Difference(generatedIn(items))
	if len(deleted) == 0 {
		return nil
	}
	first := slices.MinFunc(deleted.UnsortedList(), func(a, b generatedObject) int { return cmp.Compare(a.String(), b.String()) })
	return fmt.Errorf("files without object and comment: %s; the render would delete %s (%d generated objects in all): "+
		"restore the files' content, remove the files, or add a comment to each file that is meant to be empty",
		strings.Join(e.files[:min(len(e.files), 3)], ", "), first, len(deleted))
}

// generated is what functions generated: objects of the package, and objects that its works carry to a cluster.
type generated = sets.Set[generatedObject]

type generatedObject struct {
	cluster string // "" in the package itself
	id      krm.ID
}

func (o generatedObject) String() string {
	title := o.id.Kind + " " + path.Join(o.id.Namespace, o.id.Name)
	if o.cluster == "" {
		return title
	}
	return title + " of cluster " + o.cluster
}

func generatedIn(items []*krm.Object) generated {
	all := generated{}
	for _, o := range items {
		switch {
		case fn.IsGeneratedWork(o):
			all.Insert(manifestsOf(o)...)
		case fn.IsGenerated(o):
			all.Insert(generatedObject{"", o.ID()})
		}
	}
	return all
}

// manifestsOf are the objects in a work, without its hand-over entries: other works hold those objects.
func manifestsOf(work *krm.Object) (objects []generatedObject) {
	manifests := krm.Deref(work.Lookup("spec", "workload", "manifests"))
	if manifests == nil {
		return nil
	}
	entries, _ := strconv.Atoi(work.Annotation(fn.HandOver))
	for _, n := range manifests.Content[:max(0, len(manifests.Content)-max(0, entries))] {
		if n = krm.Deref(n); n.Kind == yaml.MappingNode {
			objects = append(objects, generatedObject{work.Namespace(), krm.FromNode(n).ID()})
		}
	}
	return objects
}
