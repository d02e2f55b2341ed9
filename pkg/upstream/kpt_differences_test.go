package upstream_test

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/merge"
)

// comparison is the result of a command in both folders.
type comparison struct {
	kpt, ours, before folderContent
	strategy          merge.Strategy // of the root; "" if none was given
	repositories      *repositories
}

// diff lists the differences, line by line; "" for none.
func (c *comparison) diff() string {
	apart := [2]map[string][]string{{}, {}}
	for i, r := range []folderContent{c.kpt, c.ours} {
		for p, v := range r {
			if !reflect.DeepEqual(c.kpt[p], c.ours[p]) {
				text, err := yaml.Marshal(v)
				apart[i][p] = strings.Split(fmt.Sprint(string(text), err), "\n")
			}
		}
	}
	return cmp.Diff(apart[0], apart[1])
}

// difference is a row of docs/pkg-differences.md.
type difference struct {
	row string
	// normalise makes both readings alike where they differ as the row says, and nowhere else.
	normalise func(c *comparison)
}

// twoWays are the differences after which the two packages are too different to go on.
var twoWays = []string{"Remote subpackages of local ones", "A remote subpackage whose Kptfile upstream dropped",
	"A Kptfile that names an upstream, and was never fetched", "A Kptfile that upstream dropped",
	"The Kptfile under fast-forward", "The Kptfile under force-delete-replace", "The last object of a package"}

// differences are in the order in which they are normalised: those that depend on no other come first.
var differences = []difference{
	{"The commit of an annotated tag", annotatedTag},
	{"An update without `--strategy`", strategyKept},
	{"Comments in the Kptfile", kptfileComments},
	{"Package contexts of subpackages", contextsBelow},
	{"Who wrote a resource of Google's", attribution},
	{"A comment in the place of the mark", ownComment},
	{"The mark of metadata in braces", bracedMark},
	{"Objects without a name", namelessMark},
	{"Folders with nothing in them", emptyFolders},
	{"Files that `.krmignore` names", ignoredFiles},
	{"Templates that begin like YAML", templates},
	{"A Kptfile that names an upstream, and was never fetched", neverFetched},
	{"A Kptfile that upstream dropped", droppedKptfile},
	{"Remote subpackages of local ones", remoteOfLocal},
	{"A remote subpackage whose Kptfile upstream dropped", droppedRemote},
	{"A subpackage that has no Kptfile here", lostKptfiles},
	{"The Kptfile under fast-forward", kptfileUnder(merge.FastForward)},
	{"The Kptfile under force-delete-replace", kptfileUnder(merge.ForceDeleteReplace)},
	{"Order of objects in a file", orderOfObjects},
	{"The last object of a package", lastObject},
	{"Maps that become empty", emptied},
}

// eachKptfile calls f with both Kptfiles of each package.
func (c *comparison) eachKptfile(f func(p string, kpt, ours *content)) {
	for _, p := range c.kpt.paths() {
		k, o := c.kpt.objects(p), c.ours.objects(p)
		if path.Base(p) != "Kptfile" || len(k) != 1 || len(o) != 1 {
			continue
		}
		a, b := k[0], o[0]
		f(p, &a, &b)
		c.kpt[p], c.ours[p] = []content{a}, []content{b}
	}
}

// eachPair calls f with both versions of each object, for files with the same number of objects.
func (c *comparison) eachPair(f func(kpt, ours *content)) {
	for _, p := range c.kpt.paths() {
		k, o := slices.Clone(c.kpt.objects(p)), slices.Clone(c.ours.objects(p))
		if len(k) == 0 || len(k) != len(o) || path.Base(p) == "Kptfile" {
			continue
		}
		for i := range k {
			f(&k[i], &o[i])
		}
		c.kpt[p], c.ours[p] = k, o
	}
}

// with is v with another value at a path of names; nil removes it, and what is empty then.
func with(v any, value any, names ...string) any {
	m, _ := v.(map[string]any)
	out := map[string]any{}
	for k, e := range m {
		out[k] = e
	}
	if len(names) > 1 {
		value = with(out[names[0]], value, names[1:]...)
	}
	if out[names[0]] = value; value == nil || reflect.DeepEqual(value, map[string]any{}) {
		delete(out, names[0])
	}
	return out
}
