// Package folders is the function generate-folders: it writes the Folders of Config Connector that a ResourceHierarchy
// describes.
//
// Shape: items in; the same items out, with a Folder for every name in a hierarchy: a new one, or the one of its identity, in
// which only the fields of the hierarchy change. No Folder is removed.
// Cost: one object for each Folder, at most mostFolders.
// Errors: per hierarchy, a field that is missing or something else; a subtree that is unknown or contains itself; two Folders
// of one name.
// Source: the README of generate-folders in krm-functions-catalog, and the behaviour of its v0.1.
package folders

import (
	"context"
	_ "embed" // for the README
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

//go:embed generate-folders.md
var readme string

const functionName, configKind = "generate-folders", "GenerateFolders"

// Function is generate-folders.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// hierarchyKind is the kind of hierarchies; latest is its current apiVersion.
const hierarchyKind, latest = "ResourceHierarchy", "blueprints.cloud.google.com/v1alpha3"

// older are the former groups of hierarchies, in versions v1alpha1 and v1alpha2.
var older = []string{"cft.dev/", "dev.cft/", "dev.cft."}

// Run writes the Folders of every hierarchy.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	if err := edit.NoOptions(in.Config, configKind); err != nil {
		return nil, err
	}
	g := &generation{out: fn.NewOutput(in), at: map[krm.ID]int{}, made: map[krm.ID]bool{}, next: map[string]int{}, left: mostFolders}
	for i, o := range in.Items {
		g.at[o.ID()] = i
		g.next[fn.FilePath(o)] = max(g.next[fn.FilePath(o)], o.Index()+1)
	}
	for _, o := range edit.InFileOrder(in.Items) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if o.Kind() == hierarchyKind {
			g.generate(o)
		}
	}
	return g.out, nil
}

// generation is one run over all items.
type generation struct {
	out  *fn.Output
	at   map[krm.ID]int // the places of items
	made map[krm.ID]bool
	next map[string]int // the index of a new item, by file
	left int            // how many Folders there may still be
}

// generate writes the Folders of one hierarchy, or reports what is wrong with it.
func (g *generation) generate(o *krm.Object) {
	h := &hierarchy{object: o, native: o.APIVersion() == latest}
	version := ""
	for _, group := range older {
		if rest, ok := strings.CutPrefix(o.APIVersion(), group); ok && version == "" {
			version = rest
		}
	}
	var errs field.ErrorList
	switch {
	case h.native, version == "v1alpha2":
		errs = h.readTree()
	case version == "v1alpha1":
		errs = h.readLayers()
	default:
		g.out.Report(sdk.Warning, o, field.NewPath("apiVersion"), "is no version of ResourceHierarchy; the latest is %s", latest)
		return
	}
	if !h.native {
		g.out.Report(sdk.Warning, o, field.NewPath("apiVersion"), "is an older version of ResourceHierarchy; the latest is %s", latest)
	}
	if g.left -= count(h.folders, g.left, mostDepth); g.left < 0 && len(errs) == 0 {
		errs = field.ErrorList{field.Invalid(spec, field.OmitValueType{}, tooMany)}
	}
	if len(errs) == 0 {
		errs = g.write(h, h.folders, nil)
	}
	for _, err := range errs {
		g.out.Report(sdk.Error, o, field.NewPath(err.Field), "%s", err.ErrorBody())
	}
	if len(errs) == 0 && len(h.folders) == 0 {
		g.out.Report(sdk.Info, o, spec.Child("config"), "is empty; no folders will be generated")
	}
}

// write writes folders, and those in them, below the names in path.
func (g *generation) write(h *hierarchy, folders []*folder, path []string) field.ErrorList {
	for _, f := range folders {
		whole := append(slices.Clone(path), f.name)
		id := krm.ID{Group: folderGroup, Kind: folderKind, Namespace: h.object.Namespace(), Name: normalize(whole)}
		if g.made[id] {
			return field.ErrorList{field.Duplicate(spec, strings.Join(whole, "."))}
		}
		g.made[id] = true
		g.put(h.object, id, func(o *krm.Object) { h.fill(o, f, path) })
		if errs := g.write(h, f.children, whole); len(errs) > 0 {
			return errs
		}
	}
	return nil
}

// put fills the item of an identity, or a new one in the file of the hierarchy.
func (g *generation) put(hierarchy *krm.Object, id krm.ID, fill func(*krm.Object)) {
	if i, ok := g.at[id]; ok {
		c := edit.Copy(g.out.Items[i])
		fill(c)
		g.out.Items[i] = edit.RestoreForm(g.out.Items[i], c)
		return
	}
	o := newFolder(id)
	if file := fn.FilePath(hierarchy); file != "" {
		o.SetPath(file, g.next[file])
		g.next[file]++
	}
	fill(o)
	g.at[id] = len(g.out.Items)
	g.out.Items = append(g.out.Items, o)
}
