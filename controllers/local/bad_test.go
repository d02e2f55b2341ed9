package local_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/local"
)

// TestBadSetup has something wrong with a variant, a repository or a package: one error, on one
// line, that says what and where, and no ref moves.
func TestBadSetup(t *testing.T) {
	for name, tc := range badWorlds {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			tc.arrange(f)
			var got []string
			f.unmoved(tc.reason, func() { got = lines(f.reconcile()) })
			if diff := cmp.Diff([]string{tc.want}, f.anonymous(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if strings.Contains(strings.Join(got, ""), "\n") {
				t.Errorf("an error is one line; got %q", got)
			}
		})
	}
}

var commitID = regexp.MustCompile(`\b[0-9a-f]{40}\b`)

// anonymous replaces what differs between runs.
func (f *fleet) anonymous(lines []string) []string {
	url := ""
	if _, rest, ok := strings.Cut(f.read("repositories.yaml"), "repo: http://127.0.0.1:"); ok {
		url, _, _ = strings.Cut("http://127.0.0.1:"+rest, "\n")
	}
	for i, s := range lines {
		s = strings.ReplaceAll(s, f.root, "ROOT")
		s = commitID.ReplaceAllString(s, "COMMIT")
		if url = strings.TrimSuffix(url, "x"); len(url) > 0 && !strings.Contains(url, ":1/") {
			s = strings.ReplaceAll(s, url, "URL")
		}
		lines[i] = s
	}
	return lines
}

// TestBadFiles has something wrong with what -f names: nothing is done at all, and the error says
// in which file, and where in it.
func TestBadFiles(t *testing.T) {
	labelled := func(field string) func(*fleet) {
		text := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, " + field + "}\n"
		return writing("c.yaml", strings.Replace(text, "name: c, name: c", "name: c", 1))
	}
	for name, tc := range map[string]struct {
		reason  string
		arrange func(f *fleet)
		want    string
	}{
		"broken YAML":       {"file, document, line", writing("x.yaml", "a: 1\n---\na: [\n"), "ROOT/fleet/x.yaml: document 2, line 4: not valid YAML: did not find expected node content"},
		"no object":         {"a list at the top", writing("x.yaml", "- a\n"), "ROOT/fleet/x.yaml: document 1, line 1: is not an object (a mapping of fields)"},
		"text":              {"text is no object", writing("x.yaml", "hello\n"), "ROOT/fleet/x.yaml: document 1, line 1: is not an object (a mapping of fields)"},
		"no name":           {"an object without identity", adding("apiVersion: v1\nkind: ConfigMap\n"), "ROOT/fleet/eu.yaml: document 2, line 27: an object needs apiVersion, kind and metadata.name; this one lacks metadata.name"},
		"no field":          {"all that is missing", adding("Kind: ConfigMap\n"), "ROOT/fleet/eu.yaml: document 2, line 27: an object needs apiVersion, kind and metadata.name; this one lacks apiVersion, kind, metadata.name"},
		"byte order mark":   {"one that is not at the start", writing("x.yaml", "# c\n\ufeffapiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"), `ROOT/fleet/x.yaml: document 1, line 2: a byte order mark (U+FEFF) is in the field name "apiVersion"; remove it`},
		"two marks":         {"a second byte order mark", writing("x.yaml", "\ufeff\ufeffapiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"), "ROOT/fleet/x.yaml: document 1, line 1: begins with two byte order marks (U+FEFF); keep one at most"},
		"list":              {"what kubectl get prints", adding("apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n"), "ROOT/fleet/eu.yaml: document 2, line 27: a List is not read; write each of its items as a document of its own"},
		"named list":        {"its items would count as not there", adding("apiVersion: v1\nkind: ConfigMapList\nmetadata: {name: all}\nitems: []\n"), "ROOT/fleet/eu.yaml: document 2, line 27: a ConfigMapList is not read; write each of its items as a document of its own"},
		"unknown field":     {"a misspelt field", writing("x.yaml", "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: x\nspec:\n  upstreams: {}\n"), `ROOT/fleet/x.yaml: document 1, line 1: PackageVariant x: spec.upstreams: Forbidden: unknown field`},
		"wrong type":        {"a field of another type", func(f *fleet) { f.edit("eu.yaml", "revision: 1", "revision: one") }, `ROOT/fleet/eu.yaml: document 1, line 1: PackageVariant fleet/eu: spec.upstream.revision: Invalid value: want a whole number, got text`},
		"twice":             {"an object given twice", adding("apiVersion: infra.example/v1\nkind: Site\nmetadata:\n  name: lyon\n  namespace: fleet\n"), "ROOT/fleet/eu.yaml: document 2, line 27: Site fleet/lyon occurs twice; it is also in ROOT/fleet/context.yaml: document 1, line 1"},
		"twice, default":    {"no namespace is namespace default", writing("x.yaml", "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n---\napiVersion: v1\nkind: A\nmetadata:\n  name: a\n  namespace: default\n"), "ROOT/fleet/x.yaml: document 2, line 6: A default/a occurs twice; it is also in ROOT/fleet/x.yaml: document 1, line 1"},
		"set":               {"a field that a set does not have", adding("apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata:\n  name: all\nspec:\n  target: x\n"), `ROOT/fleet/eu.yaml: document 2, line 27: PackageVariantSet all: spec.target: Forbidden: unknown field`},
		"stranger":          {"a kind of the group that there is not", adding("apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariantList\nmetadata:\n  name: all\n"), `ROOT/fleet/eu.yaml: document 2, line 27: this release does not reconcile PackageVariantList objects; leave "all" out`},
		"old version":       {"a version that is not spoken", func(f *fleet) { f.edit("eu.yaml", "v1alpha1", "v1alpha9") }, `ROOT/fleet/eu.yaml: document 1, line 1: PackageVariant fleet/eu: want apiVersion "config.porch.kpt.dev/v1alpha1" and kind "PackageVariant", got "config.porch.kpt.dev/v1alpha9"`},
		"budget, group":     {"a budget of the functions' group", writing("b.yaml", strings.Replace(limit("maxObjects", 0), "waybill.dev/", "fn.waybill.dev/", 1)), `ROOT/fleet/b.yaml: document 1, line 1: nothing reads kind ChangeBudget of group "fn.waybill.dev": did you mean ChangeBudget of group "waybill.dev"? If not, leave "careful" out`},
		"budget, no group":  {"a version alone", writing("b.yaml", strings.Replace(limit("maxObjects", 0), "waybill.dev/", "", 1)), `ROOT/fleet/b.yaml: document 1, line 1: nothing reads kind ChangeBudget of group ""`},
		"budget, other":     {"a group of others", writing("b.yaml", strings.Replace(limit("maxObjects", 0), "waybill.dev/", "policy.example/", 1)), `ROOT/fleet/b.yaml: document 1, line 1: nothing reads kind ChangeBudget of group "policy.example"`},
		"budget, slip":      {"a slip in kind and group", writing("b.yaml", strings.NewReplacer("waybill.dev/", "waybil.dev/", "ChangeBudget", "ChangeBuget").Replace(limit("maxObjects", 0))), `ROOT/fleet/b.yaml: document 1, line 1: nothing reads kind ChangeBuget of group "waybil.dev"`},
		"budget, plural":    {"a plural in another group", writing("b.yaml", strings.NewReplacer("waybill.dev/", "porch.kpt.dev/", "ChangeBudget", "changebudgets").Replace(limit("maxObjects", 0))), `ROOT/fleet/b.yaml: document 1, line 1: nothing reads kind changebudgets of group "porch.kpt.dev"`},
		"budget, kind":      {"a plural in its group", writing("b.yaml", strings.Replace(limit("maxObjects", 0), "ChangeBudget", "ChangeBudgets", 1)), `ROOT/fleet/b.yaml: document 1, line 1: this release does not reconcile ChangeBudgets objects; leave "careful" out`},
		"budget, version":   {"a version that there is not", writing("b.yaml", strings.Replace(limit("maxObjects", 0), "v1alpha1", "v1", 1)), `ROOT/fleet/b.yaml: document 1, line 1: ChangeBudget fleet/careful: want apiVersion "waybill.dev/v1alpha1"`},
		"budget, namespace": {"it guards nothing", writing("b.yaml", strings.Replace(limit("maxObjects", 0), "namespace: fleet", "namespace: flete", 1)), `ChangeBudget flete/careful: there is no PackageVariant and no PackageVariantSet in namespace "flete", so the budget has no effect; there are some in fleet, which has no budget: correct metadata.namespace, or set the annotation waybill.dev/allow-empty-selection: "true" if this is intended`},
		"budget, none":      {"nor in the default namespace", writing("b.yaml", strings.Replace(limit("maxObjects", 0), "  namespace: fleet\n", "", 1)), `ChangeBudget default/careful: there is no PackageVariant and no PackageVariantSet in namespace "default"`},
		"repository, group": {"a Repository of Porch's other group", func(f *fleet) { f.edit("repositories.yaml", "config.porch.kpt.dev", "porch.kpt.dev") }, `ROOT/fleet/repositories.yaml: document 1, line 1: nothing reads kind Repository of group "porch.kpt.dev": did you mean Repository of group "config.porch.kpt.dev"?`},
		"aliases":           {"a bomb of aliases", writing("x.yaml", bomb()), "ROOT/fleet/x.yaml: document 1, line 1: holds 1000000 values once aliases are followed, more than the 500000 allowed"},
		"deep":              {"nested too deep", writing("x.yaml", "a: "+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)), "ROOT/fleet/x.yaml: document 1"},
		"same key":          {"a key given twice", writing("x.yaml", "a: 1\na: 2\n"), "ROOT/fleet/x.yaml: document 1, line 2"},
		"binary":            {"no text at all", writing("x.yaml", "\xff\xfe\x00"), "ROOT/fleet/x.yaml: line 1"},
		"link out":          {"a link out of the folder", link("/etc/hostname", "x.yaml"), "ROOT/fleet/x.yaml: a symbolic link to a file outside the folder; name that file itself"},
		"dangling":          {"a link to nothing", link("none.yaml", "x.yaml"), "ROOT/fleet/x.yaml: a symbolic link whose target does not exist"},
		"linked folder":     {"a link to a folder elsewhere", func(f *fleet) { f.write("../sites/x.yaml", "a: 1\n"); link("../sites", "sites")(f) }, "ROOT/fleet/sites: a symbolic link to a file outside the folder; name that file itself"},
		"nested link": {"deeper in the folder, and through a hidden one", func(f *fleet) {
			f.write("../sites/x.yaml", "a: 1\n")
			f.write("deeper/empty.yaml", "# nothing\n")
			link("../sites", ".hidden")(f)
			link("../.hidden", "deeper/sites")(f)
		}, "ROOT/fleet/deeper/sites: a symbolic link to a file outside the folder"},
		"folder gone":    {"it may have been a folder", link("../gone", "sites"), "ROOT/fleet/sites: a symbolic link whose target does not exist"},
		"link to itself": {"which leads nowhere, too", link("sites", "sites"), "ROOT/fleet/sites: a symbolic link whose target does not exist"},
		"ending .YAML":   {"it would count as not there", writing("c2.YAML", "a: 1\n"), `ROOT/fleet/c2.YAML: the ending ".YAML" is not read; rename the file to c2.yaml`},
		"ending .Yml":    {"in a folder", writing("deeper/c2.Yml", "a: 1\n"), `ROOT/fleet/deeper/c2.Yml: the ending ".Yml" is not read; rename the file to c2.yml`},
		"ending .JSON":   {"a link", link("context.yaml", "c2.JSON"), `ROOT/fleet/c2.JSON: the ending ".JSON" is not read; rename the file to c2.json`},
		"empty file":     {"a program may be about to write it", writing("c2.yaml", " \n"), "ROOT/fleet/c2.yaml: there is no object; leave it out if that is intended"},
		"cut file":       {"likewise", writing("c2.yaml", "---\n"), "ROOT/fleet/c2.yaml: there is no object; leave it out if that is intended"},
		"null":           {"says nothing, either", writing("c2.yaml", "null\n"), "ROOT/fleet/c2.yaml: there is no object; leave it out if that is intended"},
		"mark alone":     {"nor does a byte order mark", writing("c2.yaml", "\ufeff"), "ROOT/fleet/c2.yaml: there is no object; leave it out if that is intended"},
		"label, text":    {"labels that are no map", labelled("labels: env=prod"), `ROOT/fleet/c.yaml: document 1, line 1: ConfigMap c: metadata.labels: Invalid value: want a map, got text`},
		"label, number":  {"a label that is no text", labelled("labels: {ring: 1}"), `ROOT/fleet/c.yaml: document 1, line 1: ConfigMap c: metadata.labels[ring]: Invalid value: want text, got a number`},
		"label, name":    {"a name with a blank", labelled(`labels: {"ring ": "1"}`), `ROOT/fleet/c.yaml: document 1, line 1: ConfigMap c: metadata.labels: Invalid value: "ring "`},
		"label, slip":    {"a misspelt field", labelled("lables: {a: b}"), `ROOT/fleet/c.yaml: document 1, line 1: ConfigMap c: metadata.lables: nothing reads such labels; write metadata.labels`},
		"label, outside": {"outside of metadata", labelled("name: c}\nlabels: {a: b"), `ROOT/fleet/c.yaml: document 1, line 1: ConfigMap c: labels: nothing reads such labels; write metadata.labels`},
		"pipe": {"a file that would never end", func(f *fleet) {
			if err := syscall.Mkfifo(f.path("fleet/x.yaml"), 0o644); err != nil {
				f.Fatal(err)
			}
		}, "ROOT/fleet/x.yaml: not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			tc.arrange(f)
			_, err := local.Read([]string{f.path("fleet")}, strings.NewReader(""))
			if err == nil {
				t.Fatalf("%s: want an error", tc.reason)
			}
			if got := strings.ReplaceAll(err.Error(), f.root, "ROOT"); !strings.HasPrefix(got, tc.want) || strings.Contains(got, "\n") {
				t.Errorf("%s (-want +got):\n-%s\n+%s", tc.reason, tc.want, got)
			}
		})
	}
}

// adding puts one more document into the variant's file.
func adding(text string) func(*fleet) {
	return editing("eu.yaml", "name: lyon\n", "name: lyon\n---\n"+text)
}

// writing writes a file of objects.
func writing(name, text string) func(*fleet) { return func(f *fleet) { f.write(name, text) } }

func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		b.WriteString("a" + strconv.Itoa(i) + ": &a" + strconv.Itoa(i) + " [" + strings.TrimSuffix(strings.Repeat("*a"+strconv.Itoa(i-1)+", ", 10), ", ") + "]\n")
	}
	return b.String()
}

func link(target, name string) func(*fleet) {
	return func(f *fleet) {
		if err := os.Symlink(target, f.path("fleet/"+name)); err != nil {
			f.Fatal(err)
		}
	}
}
