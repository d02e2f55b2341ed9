package fn

import (
	"cmp"
	"fmt"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/parallel"
)

// HandOver says how many of a work's manifests, the last ones, are there only because another work holds the objects now, or
// because they stay on a cluster without a work. The work releases them.
const HandOver = ReservedPrefix + "hand-over"

// Annotations that say where a generated object comes from. They stay in the package and never
// reach a cluster.
const (
	GeneratedBy      = "waybill.dev/generated-by"
	Origin           = "waybill.dev/origin"
	ReservedPrefix   = "waybill.dev/"
	generatedByHand  = "a file that was not generated already holds this object; rename or remove one of them"
	generatedByOther = "%s generated it as well; only one of them can"
)

// IsGenerated reports whether any function generated o.
func IsGenerated(o *krm.Object) bool { return o.HasAnnotation(GeneratedBy) }

// IsGeneratedWork reports whether o is an OCM ManifestWork that a function generated. Functions that move or rename objects
// skip it: its namespace and name are those on the hub, and its function finds it by them.
func IsGeneratedWork(o *krm.Object) bool {
	return IsGenerated(o) && o.Is("work.open-cluster-management.io", "ManifestWork")
}

// Generator is a function that writes objects, and the kinds of these.
type Generator struct {
	Function string
	Kinds    []string
}

// Regenerate returns in's items with the objects that the generator wrote earlier replaced by desired: one that stays
// keeps its place, file, index and comments (and is the very same Object when nothing changed); one that is no longer
// wanted is removed; a new one is added at the end. Each desired object must have a path (krm.Object.SetPath); Regenerate marks
// it as generated, and where the package has an upstream as generated here. A desired object that people wrote by hand,
// that another function generated, or that is desired twice is an error result, and nothing is replaced; so is one that
// the generator wrote and that is in two files, for only one of them can be meant, and an object that is marked as
// generated and of another kind. The objects are handed over; two of them may share nodes below their metadata.
func (g Generator) Regenerate(in *Input, desired []*krm.Object) *Output {
	out, function := &Output{}, g.Function
	want, origins := make(map[krm.ID]*krm.Object, len(desired)), OriginsIn(in.Items)
	for _, o := range desired {
		o.SetAnnotation(GeneratedBy, function)
		origins.mark(o)
		id := o.ID()
		if want[id] != nil {
			out.Report(sdk.Error, o, nil, "%s generates %s twice; its input names it twice", function, o.Describe())
		}
		want[id] = o
	}
	marks := marksOf(in.Items)
	first := earlierOutput(in.Items, marks, function)
	renewed := renewAll(first, want)
	for i, o := range in.Items {
		id, by := marks[i].id, marks[i].by
		w := want[id]
		switch {
		case by != function:
			if w != nil {
				out.Report(sdk.Error, o, nil, "%s generates %s: %s", function, w.Describe(), conflict(by))
			}
			out.Items = append(out.Items, o)
		case !slices.Contains(g.Kinds, o.Kind()):
			out.Report(sdk.Error, o, field.NewPath("metadata", "annotations").Key(GeneratedBy),
				"%s generates no %s, and removes objects with this annotation; remove the annotation", function, o.Kind())
		case first[id].File() != o.File():
			out.Report(sdk.Error, o, nil, "it exists twice, also as %s, and %s generates it once; remove one of them",
				first[id].Describe(), function)
		case w != nil && first[id] == o:
			out.Items = append(out.Items, renewed[o])
		}
	}
	for _, o := range desired {
		if first[o.ID()] == nil {
			out.Items = append(out.Items, o)
		}
	}
	if out.Failed() {
		out.Items = slices.Clone(in.Items)
	}
	return out
}

func conflict(by string) string {
	if by == "" {
		return generatedByHand
	}
	return fmt.Sprintf(generatedByOther, by)
}

// earlierOutput finds the objects that function generated before. Of copies of one object, it takes the first by file and index:
// the order of the items does not matter.
func earlierOutput(items []*krm.Object, marks []mark, function string) map[krm.ID]*krm.Object {
	first := map[krm.ID]*krm.Object{}
	for i, o := range items {
		if marks[i].by != function {
			continue
		}
		id := marks[i].id
		if f := first[id]; f == nil || cmp.Or(cmp.Compare(o.File(), f.File()), cmp.Compare(o.Index(), f.Index())) < 0 {
			first[id] = o
		}
	}
	return first
}

// mark is the identity of an object, and the function that generated it.
type mark struct {
	id krm.ID
	by string
}

// marksOf looks up, on all processors, the marks of items.
func marksOf(items []*krm.Object) []mark {
	marks := make([]mark, len(items))
	parallel.For(len(items), func(i int) { marks[i] = mark{items[i].ID(), items[i].Annotation(GeneratedBy)} })
	return marks
}

// renewAll renews, on all processors, the earlier objects that are still wanted.
func renewAll(earlier, wanted map[krm.ID]*krm.Object) map[*krm.Object]*krm.Object {
	var stay []krm.ID
	for id := range earlier {
		if wanted[id] != nil {
			stay = append(stay, id)
		}
	}
	now := make([]*krm.Object, len(stay))
	parallel.For(len(stay), func(i int) { now[i] = renew(earlier[stay[i]], wanted[stay[i]]) })
	out := make(map[*krm.Object]*krm.Object, len(stay))
	for i, id := range stay {
		out[earlier[id]] = now[i]
	}
	return out
}

// renew gives old the content of wanted, and keeps the properties of the file: place, comments, and the order of fields;
// in a deferred field, the order only if it has comments. Below its metadata wanted may share nodes with other objects: it
// is copied only when it has to be changed.
func renew(old, wanted *krm.Object) *krm.Object {
	wanted.RemoveAnnotations(krm.BelongsToPackage)
	for key, value := range krm.Fields(old.Lookup("metadata", "annotations")) {
		if krm.BelongsToPackage(key.Value) {
			wanted.SetAnnotation(key.Value, krm.Deref(value).Value)
		}
	}
	if old.SameData(wanted) {
		return old
	}
	n := wanted.DeepCopy()
	if old.Uncommented() { // then the field that is written as a whole need not be parsed
		KeepForm(old.HeadBeside(wanted), n.Head())
	} else {
		KeepForm(old.Node(), n.Node())
	}
	n.ContinueFrom(old)
	return n
}
