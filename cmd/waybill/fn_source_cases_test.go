package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pipeCase is one command line at an end of a pipe, given to kpt and to us.
type pipeCase struct {
	reason  string
	args    []string
	stdin   string
	files   string                         // a txtar archive over testdata/kpteval/base.txtar
	fails   bool                           // with both
	noKRM   bool                           // what it prints is not for functions
	prepare func(t *testing.T, dir string) // what an archive cannot hold
	// differs is the row of kpt-differences.md that the case shows; "" wants all to be the same.
	differs string
}

const (
	rowRefused = "Documents that a render refuses"
	rowHalf    = "A write that fails"
	mapFile    = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\n"
)

// sourceCases are about what is printed of a folder.
var sourceCases = map[string]pipeCase{
	"package":        {reason: "nested packages, several documents, JSON", args: words("pkg")},
	"subpackage":     {reason: "a subpackage alone", args: words("pkg/sub")},
	"folder":         {reason: "a folder that is no package", args: words("plain")},
	"part":           {reason: "a plain folder of a package", args: words("pkg/conf")},
	"one-file":       {reason: "a file is a folder of its own", args: words("pkg/web.yaml")},
	"slash":          {reason: "DIR may be written in any way", args: words("./pkg/../pkg/")},
	"here":           {reason: "the default is here"},
	"dash":           {reason: "a dash is no stdin", args: words("-"), stdin: mapFile, fails: true},
	"rules":          {reason: "rules that name nothing", args: words("pkg"), files: "-- pkg/.krmignore --\n/\n", fails: true},
	"no-folder":      {reason: "DIR must be there", args: words("nowhere"), fails: true},
	"two-folders":    {reason: "one DIR", args: words("pkg plain")},
	"unwrap":         {reason: "plain documents", args: words("pkg -o unwrap")},
	"list":           {reason: "a list, if one says so", args: words("pkg --output stdout")},
	"bad-output":     {reason: "no folder can be named", args: words("pkg -o out")},
	"config":         {reason: "a config is printed", args: words("pkg --fn-config config.yaml")},
	"config-inside":  {reason: "under its own name", args: words("pkg --fn-config pkg/conf/set.yaml")},
	"config-unwrap":  {reason: "but not among documents", args: words("plain --fn-config config.yaml -o unwrap")},
	"config-missing": {reason: "the file must be there", args: words("pkg --fn-config nowhere.yaml")},
	"config-two":     {reason: "with one object", args: words("pkg --fn-config two.yaml")},
	"config-empty":   {reason: "not none", args: words("pkg --fn-config empty.yaml"), files: "-- empty.yaml --\n# nothing\n"},
	"empty":          {reason: "nothing is an empty list", args: words("bare"), files: "-- bare/README.md --\nx\n", noKRM: true},
	"empty-unwrap":   {reason: "or nothing", args: words("bare -o unwrap"), files: "-- bare/README.md --\nx\n"},
	"comments":       {reason: "comments, wherever they stand", args: words("c"), files: "-- c/a.yaml --\n# first\n# second\napiVersion: v1 # here\nkind: ConfigMap\n# above\nmetadata:\n  # in\n  name: m # there\n  annotations: # notes\n    # a note\n    a: b # of it\ndata:\n  list: |\n    # no comment\n  # below\n  x: y\n# at the end\n---\n# of the next\napiVersion: v1\nkind: Secret\nmetadata: {name: s} # flow\n"},
	"comment-only":   {reason: "a document of comments is none", args: words("c"), files: "-- c/a.yaml --\n# only\n---\n" + mapFile + "---\n# only\n---\n---\n" + mapFile + "# end\n-- c/b.yaml --\n# nothing at all\n"},
	"styles":         {reason: "lists and quotes of any style", args: words("c"), files: "-- c/a.yaml --\napiVersion: example.com/v1\nkind: Style\nmetadata:\n  name: \"s\"\nspec:\n  wide:\n    - a\n    - 'b'\n  compact:\n  - c\n  - {d: e, f: [g, \"h\"]}\n  literal: |+\n    some\n\n  empty: {}\n  none: []\n  nil: ~\n  nothing:\n  tagged: !!str 5\n  long: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb cccccccccccccccccccccccccccccccc\n"},
	"annotated":      {reason: "annotations about files that stand in files", args: words("c"), files: "-- c/a.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\n  annotations:\n    config.kubernetes.io/path: other.yaml\n    config.kubernetes.io/local-config: 'true'\n", differs: "The order of annotations, where a file has one about its place"},
	"json":           {reason: "JSON of any form", args: words("c"), files: "-- c/a.json --\n{\"apiVersion\": \"v1\",\n\t\"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"m\", \"annotations\": {\"a\": \"b\"}}, \"data\": {\"l\": \"x\\ny\"}}\n"},
	"ignored":        {reason: ".krmignore hides files and folders", args: words("pkg"), files: "-- pkg/.krmignore --\nweb.yaml\nsub\n!conf\n"},
	"ignored-in-sub": {reason: "but not what is in a subpackage", args: words("pkg"), files: "-- pkg/.krmignore --\ndb.yaml\n*.json\n"},
	"hidden":         {reason: "files with a dot are files, .yml too", args: words("pkg"), files: "-- pkg/.hidden/app.yml --\n" + mapFile},
	"kustomization":  {reason: "kustomizations need no name", args: words("pkg"), files: "-- pkg/kustomization.yaml --\nresources:\n- web.yaml\n"},
	"no-krm":         {reason: "KRM is not required yet", args: words("pkg"), files: "-- pkg/values.yaml --\na: b # c\n", noKRM: true},
	"broken":         {reason: "a file that is no YAML", args: words("pkg"), files: "-- pkg/values.yaml --\na: [b\n", fails: true},
	"broken-ignored": {reason: "that is hidden", args: words("pkg"), files: "-- pkg/.krmignore --\nvalues.yaml\n-- pkg/values.yaml --\na: [b\n"},
	"broken-kptfile": {reason: "Kptfiles are not interpreted", args: words("pkg"), files: "-- pkg/sub/Kptfile --\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sub\nnonsense: true\n"},
	"kubectl-list":   {reason: "a list in a file is one resource", args: words("c"), files: "-- c/a.yaml --\napiVersion: v1\nkind: List\nmetadata:\n  name: l\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: m\n"},
	"windows":        {reason: "lines may end in two characters", args: words("c"), files: "-- c/a.yaml --\r\napiVersion: v1\r\nkind: ConfigMap\r\nmetadata:\r\n  name: m\r\n"},
	"anchors":        {reason: "an alias stays one", args: words("c"), files: "-- c/a.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\n  labels: &l\n    a: b\nspec:\n  labels: *l\n"},

	"meta":           {reason: "an old flag", args: words("pkg --include-meta-resources"), differs: "`--include-meta-resources`"},
	"duplicate-keys": {reason: "a field twice", args: words("pkg"), files: "-- pkg/twice.yaml --\n" + mapFile + "data:\n  a: \"1\"\n  a: \"2\"\n", differs: rowRefused},
	"merge-key":      {reason: "a merge key", args: words("pkg"), files: "-- pkg/merged.yaml --\n" + mapFile + "x: &x\n  a: \"1\"\ndata:\n  <<: *x\n", differs: rowRefused},
	"sequence":       {reason: "a list of scalars", args: words("pkg"), files: "-- pkg/list.yaml --\n- a\n- b\n", differs: rowRefused},
	"config-no-krm":  {reason: "a config that is no KRM", args: words("pkg --fn-config nokrm.yaml"), differs: "`--fn-config` that is no KRM"},
	"folded":         {reason: "text that is folded", args: words("c"), files: "-- c/a.yaml --\n" + mapFile + "data:\n  a: >-\n    some\n    text\n", differs: "Folded text"},
	"header":         {reason: "a comment that a blank line sets apart", args: words("c"), files: "-- c/a.yaml --\n# first\n\n# second\n" + mapFile, differs: "Comments that a blank line sets apart from the first field"},
	"many-rules":     {reason: "rules without measure", args: words("pkg"), files: "-- pkg/.krmignore --\n" + strings.Repeat("none.yaml\n", 7000), differs: "A `.krmignore` that cannot be followed"},
	"linked-file":    {reason: "a link to a file", args: words("pkg"), prepare: link("other.yaml", "web.yaml"), differs: "Symbolic links"},
	"git-folder":     {reason: "what is Git's", args: words("pkg"), files: "-- pkg/.git/x.yaml --\n" + mapFile, differs: "A folder called `.git`"},
}

// link makes a link in the package, to a target that is there.
func link(name, target string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(dir, "pkg", name)); err != nil {
			t.Fatal(err)
		}
	}
}

// placed is a document that says which file it is of.
func placed(path string) string {
	return mapFile + "  annotations:\n    config.kubernetes.io/path: " + path + "\n"
}

func item(name, annotations string) string {
	return "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: " + name + "\n    annotations:\n" + annotations
}

const listHead = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"

// sinkCases are about what is written of a stream.
var sinkCases = map[string]pipeCase{
	"documents":      {reason: "files are named after resources", args: words("out"), stdin: streamed},
	"deep":           {reason: "folders above are made", args: words("out/of/sight"), stdin: streamed},
	"placed":         {reason: "or are what a document says", args: words("out"), stdin: placed("a/b.yaml")},
	"list-legacy":    {reason: "a list", args: words("out"), stdin: listWith("      config.kubernetes.io/path: 'a/web.yaml'\n      config.kubernetes.io/index: '3'\n")},
	"list-internal":  {reason: "in the other spelling", args: words("out"), stdin: listWith("      internal.config.kubernetes.io/path: 'a/web.yaml'\n      internal.config.kubernetes.io/seqindent: 'wide'\n")},
	"order":          {reason: "documents come in the order of their index", args: words("out"), stdin: listHead + item("b", "      config.kubernetes.io/path: x.yaml\n      config.kubernetes.io/index: '1'\n") + item("a", "      config.kubernetes.io/path: x.yaml\n      config.kubernetes.io/index: '0'\n")},
	"same-place":     {reason: "two of one place stay in their order", args: words("out"), stdin: listHead + item("b", "      config.kubernetes.io/path: x.yaml\n      config.kubernetes.io/index: '0'\n") + item("a", "      config.kubernetes.io/path: x.yaml\n      config.kubernetes.io/index: '0'\n")},
	"nothing":        {reason: "nothing is an empty folder", args: words("out")},
	"empty-list":     {reason: "so is an empty list", args: words("out"), stdin: "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"},
	"kubectl-list":   {reason: "kind List is taken apart", args: words("out"), stdin: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: m\n"},
	"json":           {reason: "JSON is written as JSON", args: words("out"), stdin: placed("a.json")},
	"json-two":       {reason: "two objects are not", args: words("out"), stdin: placed("a.json") + "---\n" + placed("a.json")},
	"any-name":       {reason: "any name will do", args: words("out"), stdin: placed("x.txt") + "---\n" + placed("no/extension")},
	"unclean":        {reason: "a path is made clean", args: words("out"), stdin: placed("./a/../b.yaml")},
	"no-path":        {reason: "an empty path is none", args: words("out"), stdin: placed("''")},
	"no-krm":         {reason: "what has no name has a file", args: words("out"), stdin: "a: b\n"},
	"there":          {reason: "DIR must not be there", args: words("plain"), stdin: streamed},
	"there-as-file":  {reason: "nor be a file", args: words("config.yaml"), stdin: streamed},
	"no-dir":         {reason: "and must be named", stdin: streamed},
	"broken":         {reason: "no YAML", args: words("out"), stdin: "{{{", differs: rowHalf},
	"outside":        {reason: "no path leads out", args: words("out"), stdin: placed("../x.yaml"), differs: rowHalf},
	"far-outside":    {reason: "by no detour", args: words("out"), stdin: placed("a/../../x.yaml"), differs: rowHalf},
	"absolute":       {reason: "nor is it absolute", args: words("out"), stdin: placed("/tmp/x.yaml"), differs: rowHalf},
	"self":           {reason: "nor the folder itself", args: words("out"), stdin: placed("."), differs: rowHalf},
	"bad-index":      {reason: "an index is a number", args: words("out"), stdin: listHead + item("b", "      config.kubernetes.io/path: x.yaml\n      config.kubernetes.io/index: 'q'\n") + item("a", "      config.kubernetes.io/path: x.yaml\n"), differs: rowHalf},
	"namespace-path": {reason: "a namespace is no way out", args: words("out"), stdin: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\n  namespace: ../../etc\n", differs: rowHalf},
	"dangling":       {reason: "so is one that leads nowhere", args: words("pkg/out"), stdin: streamed, prepare: link("out", "../made")},
	"linked-dir":     {reason: "a link is there, wherever it leads", args: words("pkg/out"), stdin: streamed, prepare: link("out", "conf")},

	"two-dirs":       {reason: "one DIR", args: words("out other"), stdin: streamed, differs: "`fn sink` of two folders"},
	"dots":           {reason: "two dots in a name", args: words("out"), stdin: placed("a..b.yaml"), differs: "File names with `..` in them"},
	"backslash":      {reason: "a backslash", args: words("out"), stdin: placed("'a\\b.yaml'"), differs: "Paths that mean another file elsewhere"},
	"git-path":       {reason: "what is Git's", args: words("out"), stdin: placed(".git/config.yaml"), differs: "A folder called `.git`"},
	"file-as-folder": {reason: "a file that is a folder for another", args: words("out"), stdin: placed("a") + "---\n" + placed("a/b.yaml"), differs: rowHalf},
	"scalars":        {reason: "no resources", args: words("out"), stdin: "- a\n- b\n", differs: rowRefused},
	"no-items":       {reason: "a list without items", args: words("out"), stdin: "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n", differs: rowRefused},
	"unknown":        {reason: "an unknown annotation", args: words("out"), stdin: listHead + item("a", "      internal.config.kubernetes.io/foo: bar\n"), differs: "`internal.config.kubernetes.io/` annotations that are unknown"},
	"no-index":       {reason: "some have an index", args: words("out"), stdin: listHead + item("z", "      config.kubernetes.io/path: x.yaml\n") + item("a", "      config.kubernetes.io/path: x.yaml\n      config.kubernetes.io/index: '7'\n") + item("b", "      config.kubernetes.io/path: x.yaml\n      config.kubernetes.io/index: '2'\n") + item("y", "      config.kubernetes.io/path: x.yaml\n"), differs: "Resources of one file, some without an index"},
}
