package catalog

import (
	"path"
	"slices"
	"strings"

	"github.com/distribution/reference"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/setlabels"
	"github.com/waybill-dev/waybill/pkg/mutators/setnamespace"
)

// catalogues are the registries of kpt's own catalogue, in newer and in older packages, and of what others contribute to it.
var catalogues = []string{
	"ghcr.io/kptdev/krm-functions-catalog", "gcr.io/kpt-fn",
	"ghcr.io/kptdev/krm-functions-catalog/krm-fn-contrib", "gcr.io/kpt-fn-contrib",
}

// standIns are the functions of kpt's catalogue that linked ones replace, and their versions: a minor version covers its
// patches. The README of each function lists the differences. Versions that work in another way run in a container.
var standIns = map[string][]string{
	"set-namespace":         {"v0.3", "v0.4"},
	"set-labels":            {"v0.1", "v0.2"},
	"set-annotations":       {"v0.1"},
	"delete-annotations":    {"v0.1"},
	"set-image":             {"v0.1"},
	"ensure-name-substring": {"v0.1", "v0.2"},
	"apply-setters":         {"v0.2", "v0.3"},
	"create-setters":        {"v0.1"},
	"list-setters":          {"v0.1"},
	"search-replace":        {"v0.2"},
	"apply-replacements":    {"v0.1"},
	"upsert-resource":       {"v0.2"},
	"starlark":              {"v0.3", "v0.4", "v0.5"},
	"kubeconform":           {"v0.1"},

	"generate-folders":              {"v0.1"},
	"render-helm-chart":             {"v0.2"},
	"set-enforcement-action":        {"v0.1"},
	"remove-local-config-resources": {"v0.1"},
}

// former are the functions that work in another way for an older version in standIns.
var former = map[string]map[string]*fn.Function{
	"set-namespace": {"v0.3": setnamespace.V03},
	"set-labels":    {"v0.1": setlabels.V01},
}

// standIn is the function that stands in for a tag of the catalogue's function of that name, nil when there is none.
func standIn(name, tag string) *fn.Function {
	versions := standIns[name]
	i := slices.IndexFunc(versions, func(minor string) bool { return tag == minor || strings.HasPrefix(tag, minor+".") })
	switch {
	case i >= 0 && former[name][versions[i]] != nil:
		return former[name][versions[i]]
	case i >= 0, versions != nil && (tag == "latest" || tag == "unstable"):
		return ByName(name)
	}
	return nil
}

// StandsInFor lists the images of kpt's catalogue that the linked function of that name replaces, without tag, and their
// versions; none for a function that kpt's catalogue does not have.
func StandsInFor(name string) (images, versions []string) {
	if versions = standIns[name]; versions == nil {
		return nil, nil
	}
	for _, c := range catalogues {
		images = append(images, c+"/"+name)
	}
	return images, versions
}

// IsCatalogue reports whether an image is one of kpt's catalogue.
func IsCatalogue(image string) bool {
	ref, err := reference.ParseNormalizedNamed(image)
	if err != nil {
		return false
	}
	registry, _ := splitName(ref)
	return slices.Contains(catalogues, registry)
}

// TagsFor are the tags of an image for which a linked function stands in; none for an image that no linked function replaces. A minor
// version covers its patches.
func TagsFor(image string) []string {
	ref, err := reference.ParseNormalizedNamed(image)
	if err != nil {
		return nil
	}
	switch registry, name := splitName(ref); {
	case registry == Registry && ByName(name) != nil:
		return []string{Version, "latest"}
	case slices.Contains(catalogues, registry) && standIns[name] != nil:
		return append(slices.Clone(standIns[name]), "latest", "unstable")
	}
	return nil
}

// splitName is the registry of an image, with its folders, and the name of the function.
func splitName(ref reference.Named) (registry, name string) {
	registry, name = path.Split(ref.Name())
	return strings.TrimSuffix(registry, "/"), name
}
