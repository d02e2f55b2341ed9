package main

// streamCases are about stdin.
var streamCases = map[string]evalCase{
	"documents":            {reason: "documents come out as a list, each filed", args: words("- --exec bump"), stdin: streamed},
	"documents-printed":    {reason: "or as documents", args: words("- --exec bump -o unwrap"), stdin: streamed},
	"documents-list":       {reason: "or as a list, if one says so", args: words("- --exec bump -o stdout"), stdin: streamed},
	"documents-folder":     {reason: "or in a folder", args: words("- --exec bump -o out"), stdin: streamed},
	"documents-match":      {reason: "what the function does not see is filed nowhere", args: words("- --exec bump --match-kind Deployment"), stdin: streamed},
	"documents-match-dir":  {reason: "until it is written", args: words("- --exec bump --match-kind Deployment -o out"), stdin: streamed},
	"documents-rename":     {reason: "files are named after what the function returns", args: words("- --exec rename"), stdin: streamed},
	"documents-make":       {reason: "what is made is filed", args: words("- --exec make"), stdin: streamed},
	"documents-drop":       {reason: "documents may go", args: []string{"-", "--exec", "drop web"}, stdin: streamed},
	"documents-placed":     {reason: "a document may say where it is filed", args: words("- --exec bump"), stdin: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  annotations:\n    config.kubernetes.io/path: dir/x.yaml\n    config.kubernetes.io/index: '5'\n---\n# none\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  annotations:\n    internal.config.kubernetes.io/path: dir/x.yaml\n"},
	"documents-placed-dir": {reason: "and is put there", args: words("- --exec same -o out"), stdin: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  annotations:\n    config.kubernetes.io/path: dir/x.yaml\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  annotations:\n    internal.config.kubernetes.io/path: dir/x.yaml\n"},
	"documents-escape":     {reason: "no path leads outside", args: []string{"-", "--exec", "place ../x.yaml"}, stdin: streamed},
	"document-json":        {reason: "JSON is YAML", args: words("- --exec same"), stdin: `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "j"}}`},
	"empty":                {reason: "nothing is an empty list", args: words("- --exec bump")},
	"empty-comment":        {reason: "so is a comment", args: words("- --exec bump"), stdin: "# nothing\n"},
	"list":                 {reason: "a list stays one; its config and results go", args: words("- --exec bump"), stdin: listWith("")},
	"list-legacy":          {reason: "paths in the old spelling stay in it", args: words("- --exec make"), stdin: listWith("      config.kubernetes.io/path: 'a/web.yaml'\n      config.kubernetes.io/index: '3'\n")},
	"list-internal":        {reason: "those in the new one, too", args: words("- --exec make"), stdin: listWith("      internal.config.kubernetes.io/path: 'a/web.yaml'\n")},
	"list-both":            {reason: "and those in both", args: words("- --exec make"), stdin: listWith("      internal.config.kubernetes.io/path: 'a/web.yaml'\n      config.kubernetes.io/path: 'a/web.yaml'\n")},
	"list-folder":          {reason: "a list is written to its files", args: words("- --exec bump -o out"), stdin: listWith("      config.kubernetes.io/path: 'a/web.yaml'\n")},
	"list-printed":         {reason: "or printed", args: words("- --exec bump -o unwrap"), stdin: listWith("      config.kubernetes.io/path: 'a/web.yaml'\n")},
	"list-emptied":         {reason: "there is no package to lose", args: words("- --exec none"), stdin: listWith("")},
	"list-fails":           {reason: "of a failure nothing is printed", args: []string{"-", "--exec", "say error 1"}, stdin: listWith("")},
	"list-configured":      {reason: "values are those of the command line", args: words("- --exec configured -- to=8"), stdin: listWith("")},
	"list-of-kubectl":      {reason: "kind List is taken apart", args: words("- --exec bump"), stdin: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: web\n  spec:\n    replicas: 1\n"},
	"stdin-two-paths":      {reason: "the two spellings of a path say the same", args: words("- --exec same"), stdin: listWith("      config.kubernetes.io/path: 'b.yaml'\n      internal.config.kubernetes.io/path: 'a.yaml'\n")},
	"stdin-not-krm":        {reason: "what comes in must be KRM", args: words("- --exec bump"), stdin: "a: b\n"},
	"stdin-broken":         {reason: "and YAML", args: words("- --exec bump"), stdin: "{{{"},
	"stdin-folder-there":   {reason: "no folder is written to", args: words("- --exec bump -o plain"), stdin: streamed},
	"stdin-save":           {reason: "without a Kptfile here nothing is saved", args: words("- --exec bump -o unwrap --save -t mutator"), stdin: streamed},
	"stdin-save-here":      {reason: "else it is", args: words("- --exec bump -o unwrap --save -t mutator"), stdin: streamed, files: "-- Kptfile --\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: here\n"},
}

const (
	kptfileHead = "-- pkg/Kptfile --\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: app\n"
	twoSaved    = kptfileHead + "info:\n  description: an app # it is\npipeline:\n  # in this order\n  mutators:\n    # first\n    - exec: bump\n      configMap: # how\n        a: \"1\" # one\n        z: \"2\"\n      selectors:\n        - kind: Deployment # those\n    - exec: same\n  validators:\n    - exec: say info 0\n"
)

// saveCases are about what --save makes of the Kptfile.
var saveCases = map[string]evalCase{
	"save":                {reason: "a mutator", args: words("pkg --exec bump --save --type mutator")},
	"save-validator":      {reason: "a validator", args: words("pkg --exec same -s -t validator")},
	"save-values":         {reason: "values are sorted and strings", args: []string{"pkg", "--exec", "same", "-s", "-t", "mutator", "--", "z=yes", "b=4.0", "c=null", "d=a b: c", "e=", "f=a\nb", "h=0x1", "i='q'", "k=true"}},
	"save-config":         {reason: "a config file is a path from the package", args: words("pkg --exec configured -s -t mutator --fn-config pkg/conf/set.yaml")},
	"save-config-outside": {reason: "so it must be inside", args: words("pkg --exec seen -s -t mutator --fn-config config.yaml")},
	"save-selectors":      {reason: "selectors, sorted and quoted where needed", args: words("pkg --exec bump -s -t mutator --match-api-version apps/v1 --match-kind K --match-name n --match-namespace ns --match-labels b=c --match-labels a=b --match-annotations x=y --exclude-kind X --exclude-labels q=r")},
	"save-add":            {reason: "a new one comes last; what is there keeps its comments", args: words("pkg --exec rename -s -t mutator"), files: twoSaved},
	"save-same":           {reason: "the same again changes nothing", args: words("pkg --exec same -s -t mutator"), files: twoSaved},
	"save-update":         {reason: "other values replace those that were there, selectors too", args: words("pkg --exec bump -s -t mutator -- a=7"), files: twoSaved},
	"save-update-config":  {reason: "a file replaces values", args: words("pkg --exec bump -s -t mutator --fn-config pkg/conf/set.yaml"), files: twoSaved},
	"save-other-list":     {reason: "a validator is another matter", args: words("pkg --exec bump -s -t validator -- a=7"), files: twoSaved},
	"save-twice-there":    {reason: "all of one name are replaced", args: words("pkg --exec same -s -t mutator -- a=1"), files: kptfileHead + "pipeline:\n  mutators:\n    - exec: same\n    - exec: same\n      configMap:\n        b: c\n"},
	"save-named":          {reason: "a name goes, as the run had none", args: words("pkg --exec same -s -t mutator"), files: kptfileHead + "pipeline:\n  mutators:\n    - exec: same\n      name: x\n"},
	"save-sub":            {reason: "into the Kptfile in DIR", args: words("pkg/sub --exec bump -s -t mutator")},
	"save-none":           {reason: "without one, it is said and no failure", args: words("plain --exec bump -s -t mutator")},
	"save-file":           {reason: "one file has none", args: words("pkg/web.yaml --exec bump -s -t mutator")},
	"save-printed":        {reason: "it is saved for every output", args: words("pkg --exec bump -s -t mutator -o unwrap")},
	"save-new-folder":     {reason: "the Kptfile in DIR, not in the new folder", args: words("pkg --exec bump -s -t mutator -o out")},
	"save-failed":         {reason: "not what failed", args: []string{"pkg", "--exec", "say error 1", "-s", "-t", "mutator"}},
	"save-no-type":        {reason: "the type must be given", args: words("pkg --exec bump --save")},
	"save-bad-type":       {reason: "and be one", args: words("pkg --exec bump --save -t other")},
	"save-image":          {reason: "an image", args: words("pkg -i reg.example/bump:v1 -s -t mutator -- a=b")},
	"save-image-tag":      {reason: "another tag is another function", args: words("pkg -i reg.example/bump:v2 -s -t mutator"), files: kptfileHead + "pipeline:\n  mutators:\n    - image: reg.example/bump:v1\n"},
	"save-image-short":    {reason: "under its whole name", args: words("pkg -i bump:v1 -s -t mutator")},
}

// engineCases are about the command line that an engine is given; the one here writes it down.
var engineCases = map[string]evalCase{
	"image":          {reason: "no network, no user", args: words("pkg --image reg.example/bump:v1")},
	"image-short":    {reason: "a prefix for names without a slash", args: words("pkg -i same:v1")},
	"image-network":  {reason: "the network, if asked for", args: words("pkg -i reg.example/bump:v1 --network")},
	"image-user":     {reason: "our user, if asked for", args: words("pkg -i reg.example/bump:v1 --as-current-user")},
	"image-always":   {reason: "policies in any case", args: words("pkg -i reg.example/bump:v1 --image-pull-policy always")},
	"image-never":    {reason: "policies", args: words("pkg -i reg.example/bump:v1 --image-pull-policy Never")},
	"image-policy":   {reason: "policies that are none", args: words("pkg -i reg.example/bump:v1 --image-pull-policy Sometimes")},
	"image-env":      {reason: "variables, by name and by value", args: words("pkg -i reg.example/bump:v1 --env NAME=value=x -e PASSED_ON")},
	"image-mount":    {reason: "mounts, read-only unless they say otherwise", args: words("pkg -i reg.example/bump:v1 --mount type=bind,src=/a,dst=/b --mount type=volume,source=v,target=/c,rw=true --mount type=bind,src=/d,dst=/e,rw=false")},
	"image-fails":    {reason: "a container that fails", args: words("pkg -i reg.example/garbage:v1 -e PASSED_ON")},
	"image-spaces":   {reason: "an image has a name", args: []string{"pkg", "-i", "a b"}},
	"image-flag":     {reason: "that is no flag", args: words("pkg -i --privileged")},
	"image-selected": {reason: "selectors count for images, too", args: words("pkg -i reg.example/bump:v1 --match-kind Deployment --results-dir results")},
}

// differentCases are those that kpt and we do differently on purpose.
var differentCases = map[string]evalCase{
	"untouched":       {reason: "a file in another format", args: words("pkg --exec same"), files: "-- pkg/other.yaml --\napiVersion:   v1\nkind: ConfigMap\nmetadata: {name:   other}\n", differs: rowUntouched},
	"returns-none":    {reason: "an empty list", args: words("pkg --exec none"), differs: rowDeletes},
	"prints-nothing":  {reason: "no list", args: words("pkg --exec silent"), differs: rowDeletes},
	"prints-no-list":  {reason: "no list, to a pipe", args: words("- --exec silent"), stdin: streamed, differs: rowDeletes},
	"loses-kptfile":   {reason: "the package's Kptfile", args: []string{"pkg", "--exec", "drop app"}, differs: rowDeletes},
	"duplicate-keys":  {reason: "a field twice", args: words("pkg --exec same"), files: "-- pkg/twice.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: twice\ndata:\n  a: \"1\"\n  a: \"2\"\n", differs: "Documents that a render refuses"},
	"stdin-sequence":  {reason: "a list that is no list of resources", args: words("- --exec same"), stdin: "[{\"apiVersion\": \"v1\"}]", differs: "Documents that a render refuses"},
	"image-and-exec":  {reason: "two functions", args: words("pkg -i reg.example/same:v1 --exec bump"), differs: "`--image` and `--exec` together"},
	"values-order":    {reason: "what is saved again with a new value", args: words("pkg --exec bump -s -t mutator -- z=3 b=4"), files: twoSaved, differs: "`--save` on a value that sorts before those that are there"},
	"save-compact":    {reason: "a Kptfile that kpt has not written", args: words("pkg --exec same -s -t mutator"), files: kptfileHead + "info:\n  keywords: [a, 'b']\npipeline:\n  mutators:\n  - exec: bump\n", differs: "`--save` in a Kptfile in another format"},
	"save-broken":     {reason: "a Kptfile that cannot be read", args: words("pkg --exec bump -s -t mutator"), files: kptfileHead + "nonsense: true\n", differs: "`--save` in a Kptfile that cannot be read"},
	"save-kind":       {reason: "a kind that a Kptfile does not hold", args: words("pkg --exec same -s -t mutator -- Bump to=5"), differs: "`--save` of arguments of another kind than ConfigMap"},
	"meta":            {reason: "an old flag", args: words("pkg --exec bump -m"), differs: "`--include-meta-resources`"},
	"bad-type":        {reason: "a type that is none", args: words("pkg --exec bump -t other"), differs: "`--type` and `--mount` with values that are none"},
	"bad-mount":       {reason: "a mount that is none", args: words("pkg -i reg.example/same:v1 --mount /a:/b"), differs: "`--type` and `--mount` with values that are none"},
	"file-all-gone":   {reason: "a file that holds nothing any more", args: []string{"pkg/sub/db.yaml", "--exec", "drop db", "--match-kind", "StatefulSet"}, differs: "DIR is one file, and nothing of it is left"},
	"merge-key":       {reason: "a merge key", args: words("pkg --exec same"), files: "-- pkg/merged.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: merged\nx: &x\n  a: \"1\"\ndata:\n  <<: *x\n", differs: "Documents that a render refuses"},
	"output-no-error": {reason: "results of what is refused", args: []string{"pkg", "--exec", "place ../x.yaml", "--results-dir", "results"}, differs: "`results.yaml` when a function's output is refused"},
}

const (
	rowUntouched = "Files that the function did not change"
	rowDeletes   = "A function that returns nothing for something"
)
