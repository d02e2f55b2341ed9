package main

import (
	"maps"
	"strings"
)

// words splits a command line that quotes nothing.
func words(line string) []string { return strings.Fields(line) }

const (
	streamed = "# one\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web # main\n  namespace: shop\nspec:\n  replicas: 1\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  list:\n  - a\n"
	listed   = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: web # main\n%s  spec:\n    replicas: 1\nfunctionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: dropped\nresults:\n- message: dropped\n"
)

func listWith(annotations string) string {
	if annotations != "" {
		annotations = "    annotations:\n" + annotations
	}
	return strings.Replace(listed, "%s", annotations, 1)
}

// evalCases are the cases by name.
func evalCases() map[string]evalCase {
	all := map[string]evalCase{}
	for _, some := range []map[string]evalCase{folderCases, configCases, streamCases, saveCases, engineCases, differentCases} {
		maps.Copy(all, some)
	}
	return all
}

// folderCases are about folders, selectors, and what functions do.
var folderCases = map[string]evalCase{
	"change":           {reason: "every folder is changed, the subpackage's and the JSON file too", args: words("pkg --exec bump")},
	"change-nothing":   {reason: "unchanged files stay", args: words("pkg --exec same")},
	"subpackage":       {reason: "a subpackage alone", args: words("pkg/sub --exec bump")},
	"folder":           {reason: "a folder that is no package", args: words("plain --exec bump")},
	"part-of-package":  {reason: "a plain folder of a package", args: words("pkg/conf --exec bump")},
	"one-file":         {reason: "a file is a folder of its own", args: words("pkg/web.yaml --exec bump")},
	"make-beside-file": {reason: "what is made goes beside the file", args: words("pkg/web.yaml --exec make")},
	"no-folder":        {reason: "DIR must be there", args: words("nowhere --exec bump")},
	"slash":            {reason: "DIR may be written in any way", args: words("./pkg/../pkg/ --exec bump")},
	"drop-document":    {reason: "one document of two goes", args: []string{"pkg", "--exec", "drop settings"}},
	"drop-file":        {reason: "a file that holds nothing any more goes", args: []string{"pkg", "--exec", "drop db"}},
	"drop-subpackage":  {reason: "a subpackage's Kptfile is a resource like any other", args: []string{"pkg", "--exec", "drop sub"}},
	"make":             {reason: "a new resource gets a file named after it, and one more each time", args: words("pkg --exec make")},
	"make-placed":      {reason: "or the file that it says", args: []string{"pkg", "--exec", "place new/made.yaml"}},
	"make-absolute":    {reason: "nor by an absolute path", args: []string{"pkg", "--exec", "place /made.yaml"}},
	"make-outside":     {reason: "but none outside", args: []string{"pkg", "--exec", "place ../made.yaml"}},
	"make-taken":       {reason: "without an index, a taken file is added to", args: []string{"pkg", "--exec", "place web.yaml"}},
	"rename":           {reason: "a change of namespace moves no file", args: words("pkg --exec rename")},
	"nameless":         {reason: "what a function returns must be KRM", args: words("pkg --exec nameless")},
	"fails":            {reason: "nothing is written when a function fails", args: []string{"pkg", "--exec", "say error 1", "--results-dir", "results"}},
	"fails-quietly":    {reason: "nor when it says nothing", args: []string{"pkg", "--exec", "sh -c 'cat >/dev/null; exit 3'"}},
	"warns":            {reason: "a warning fails nothing", args: []string{"pkg", "--exec", "say warning 0", "--results-dir", "results/deep"}},
	"error-passes":     {reason: "the exit status decides", args: []string{"pkg", "--exec", "say error 0"}},
	"garbage":          {reason: "what is no YAML fails", args: words("pkg --exec garbage")},
	"not-found":        {reason: "a program that is not there", args: words("pkg --exec no-such-program --results-dir results")},
	"quoted":           {reason: "quotes are those of a shell; nothing is expanded", args: []string{"pkg", "--exec", `sed 's/replicas: 1$/replicas: 7/' `}},
	"no-expansion":     {reason: "a dollar sign is one", args: []string{"pkg", "--exec", "sed s/main/$HOME/"}},
	"unclosed":         {reason: "a quote is closed", args: []string{"pkg", "--exec", "sed 's/a"}},
	"not-krm":          {reason: "all that the function sees must be KRM", args: words("pkg --exec bump"), files: "-- pkg/values.yaml --\na: b\n"},
	"not-krm-unseen":   {reason: "what selectors leave out need not be", args: words("pkg --exec bump --match-kind Deployment"), files: "-- pkg/values.yaml --\na: b\n"},
	"kustomization":    {reason: "kustomizations need no name", args: words("pkg --exec same"), files: "-- pkg/kustomization.yaml --\nresources:\n- web.yaml\n"},
	"broken":           {reason: "a file that is no YAML", args: words("pkg --exec bump"), files: "-- pkg/values.yaml --\na: [b\n"},
	"broken-kptfile":   {reason: "Kptfiles are not interpreted", args: words("pkg --exec bump"), files: "-- pkg/sub/Kptfile --\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sub\nnonsense: true\n"},
	"pipeline":         {reason: "pipelines do not run", args: words("pkg --exec same"), files: "-- pkg/sub/Kptfile --\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sub\npipeline:\n  mutators:\n    - exec: bump\n"},
	"hidden":           {reason: "files with a dot are files", args: words("pkg --exec bump"), files: "-- pkg/.hidden/app.yaml --\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: hidden\nspec:\n  replicas: 1\n"},
	"ignored":          {reason: ".krmignore hides files, those that are no YAML too", args: words("pkg --exec bump"), files: "-- pkg/.krmignore --\nvalues.yaml\nweb.yaml\n-- pkg/values.yaml --\na: [b\n"},
	"ignored-sub":      {reason: "and a whole subpackage", args: words("pkg --exec bump"), files: "-- pkg/.krmignore --\nsub\n"},
	"ignored-sub-dir":  {reason: "as a folder, too", args: words("pkg --exec bump"), files: "-- pkg/.krmignore --\nsub/\n"},
	"ignored-in-sub":   {reason: "but not a subpackage's files", args: words("pkg --exec bump"), files: "-- pkg/.krmignore --\ndb.yaml\nsub/db.yaml\n"},
	"ignored-kptfile":  {reason: "even the Kptfile", args: words("pkg --exec bump"), files: "-- pkg/.krmignore --\nKptfile\n"},
	"ignored-plain":    {reason: "in a plain folder it means nothing", args: words("pkg --exec bump"), files: "-- pkg/conf/.krmignore --\nlist.json\n"},
	"ignored-no-root":  {reason: "without a Kptfile the folder still has rules", args: words("plain --exec bump"), files: "-- plain/.krmignore --\napp.yaml\n"},
	"match-kind":       {reason: "by kind", args: words("pkg --exec bump --match-kind Deployment")},
	"match-all-of-it":  {reason: "every flag must match", args: words("pkg --exec bump --match-kind Deployment --match-api-version apps/v1 --match-name web --match-namespace shop --match-labels tier=front --match-annotations note=yes")},
	"match-none":       {reason: "a function with nothing to see runs", args: words("pkg --exec bump --match-kind Service")},
	"match-labels":     {reason: "all labels must match", args: words("pkg --exec bump --match-labels tier=front --match-labels app=web")},
	"match-no-value":   {reason: "a label has a value", args: words("pkg --exec bump --match-labels tier")},
	"exclude":          {reason: "what matches is left out", args: words("pkg --exec bump --exclude-kind Deployment")},
	"exclude-both":     {reason: "only what matches all flags is left out", args: words("pkg --exec bump --exclude-kind Deployment --exclude-name listed")},
	"match-exclude":    {reason: "both at once", args: words("pkg --exec bump --match-namespace shop --exclude-labels tier=front")},
	"match-drop":       {reason: "what is seen may be dropped", args: words("pkg --exec none --match-kind StatefulSet")},
	"match-make":       {reason: "what is made comes last", args: words("pkg --exec make --match-kind StatefulSet")},
	"match-moved":      {reason: "what is moved keeps its place", args: words("pkg --exec move --match-kind ConfigMap -o stdout")},
	"print":            {reason: "a list is printed, nothing changed", args: words("pkg --exec bump -o stdout")},
	"print-made":       {reason: "with what is made", args: words("pkg --exec make --output stdout")},
	"print-documents":  {reason: "documents are printed", args: words("pkg --exec bump -o unwrap")},
	"print-failure":    {reason: "of a failure nothing is printed", args: []string{"pkg", "--exec", "say error 1", "-o", "unwrap"}},
	"new-folder":       {reason: "a folder is made, of resources only; the second time it is there", args: words("pkg --exec make -o out/deep")},
	"folder-there":     {reason: "no folder is written to, before anything runs", args: words("pkg --exec seen -o plain")},
	"needs-function":   {reason: "image or exec", args: words("pkg")},
	"two-folders":      {reason: "one DIR", args: words("pkg plain --exec bump")},
	"keywords":         {reason: "keywords are for completion", args: words("pkg --exec bump -k a -k b")},
	"as-validator":     {reason: "the type is for --save", args: words("pkg --exec bump --type validator")},
	"no-container":     {reason: "flags of containers are not for programs", args: words("pkg --exec bump --network")},
}

// configCases are about how functions are configured.
var configCases = map[string]evalCase{
	"values":             {reason: "arguments make a ConfigMap", args: words("pkg --exec configured -- to=5")},
	"values-last":        {reason: "the last of two counts", args: words("pkg --exec configured -- to=5 to=6")},
	"values-equals":      {reason: "a value may hold an equals sign, or nothing", args: words("pkg --exec configured -- x=y=z e= to=4")},
	"values-kind":        {reason: "the first argument may be a kind", args: words("pkg --exec configured -- Bump to=5")},
	"values-no-value":    {reason: "the others may not", args: words("pkg --exec configured -- to=5 flag")},
	"values-before-dash": {reason: "arguments come behind the dashes", args: words("pkg --exec configured to=5")},
	"config-file":        {reason: "a file configures", args: words("pkg --exec configured --fn-config config.yaml")},
	"config-inside":      {reason: "it may be in the package, where the function sees it too", args: words("pkg --exec configured --fn-config pkg/conf/set.yaml")},
	"config-make":        {reason: "and says nothing about where things are made", args: words("pkg --exec make --fn-config pkg/conf/set.yaml")},
	"config-and-values":  {reason: "not both", args: words("pkg --exec configured --fn-config config.yaml -- to=5")},
	"config-missing":     {reason: "the file must be there", args: words("pkg --exec configured --fn-config nowhere.yaml")},
	"config-folder":      {reason: "and be a file", args: words("pkg --exec configured --fn-config plain")},
	"config-two":         {reason: "with one object", args: words("pkg --exec configured --fn-config two.yaml")},
	"config-empty":       {reason: "not none", args: words("pkg --exec same --fn-config empty.yaml"), files: "-- empty.yaml --\n# nothing\n"},
	"values-no-key":      {reason: "a value has a key", args: words("pkg --exec same -- =x")},
	"config-no-krm":      {reason: "that is KRM", args: words("pkg --exec configured --fn-config nokrm.yaml")},
}
