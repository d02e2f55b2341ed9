package depcheck

// Module is the import path of the repository.
const Module = "github.com/waybill-dev/waybill"

// Leaves are the folders outside pkg that may hold Go packages.
var Leaves = []string{"cmd", "controllers", "functions"}

// Order lists the folders of pkg: a line may import only lines above it. Folders on one line do not
// import each other. A folder on the map may be missing; a folder that is not on the map is a fault.
var Order = []Line{
	{"safetext", "texts of unknown origin, made safe for messages"},
	{"style", "colours of texts on terminals"},
	{"parallel", "loops on all processors"},
	{"memlimit", "how much memory this process may use"},
	{"osfile", "what operating systems do differently with files"},
	{"krm", "one object: identity, field paths, edits"},
	{"kptfile", "Kptfile and lock"},
	{"api", "the kinds we speak, one package per API group"},
	{"pkgtree", "a package in memory"},
	{"diskcache", "entries in a folder that processes share"},
	{"selection", "selectors that match nothing, and similar names"},
	{"fn", "what a function is"},
	{"workload", "which items are workload, and what their kinds are called"},
	{"transform", "what an object looks like when it ships; bindings hash that"},
	{"template", "text templates within bounds: of objects for each cluster, of single texts"},
	{"helm", "Helm charts: fetched and locked; their templates within bounds, their values and files"},
	{"binding", "which object goes to which cluster"},
	{"cel", "CEL within bounds"},
	{"applyset", "which outputs each input has: tags, groups, what is deleted and what is kept"},
	{"bundling injection translation mapcontroller apisync status", "what is made of it there; domains that do not import each other"},
	{"backend", "things with an API of their own: what they are asked to do, and how it is done"},
	{"mutators", "functions that kpt's catalogue has, too"},
	{"catalog", "the functions linked into the binary"},
	{"merge", "three-way package merge"},
	{"runner", "how a function is run"},
	{"render", "a package through its pipelines"},
	{"gitrepo", "bare Git repositories"},
	{"oci", "artifacts of registries"},
	{"sharedcache", "what rendering computes, where many machines read it"},
	{"revision", "package revisions, in Porch's layout over Git: see docs/decisions/0001"},
	{"upstream", "packages got from where they are published, and their updates"},
	{"variant", "what PackageVariants want, and the drafts for that in Git"},
	{"fleet", "questions about a whole fleet"},
	{"image", "function images"},
}

// Helpers are the folders that serve tests alone. Only tests and other helpers import them.
var Helpers = []string{"pkg/testenv", "pkg/fn/fntest", "pkg/gitrepo/gittest", "pkg/oci/ocitest", "pkg/bundling/ocmcheck", "pkg/depcheck",
	"pkg/backend/backendtest", "pkg/merge/mergetest", "pkg/variant/snapshot/storetest", "controllers/clustertest",
	"controllers/ocmtest", "controllers/porchtest", "controllers/fluxtest", "pkg/helm/helmtest"}

const quickStart = "waybill starts quickly; controllers are in waybill-controller: see docs/decisions/0022"

// Denials are the imports that must not exist, not even through others.
var Denials = []Denial{
	{From: "pkg", Deny: Module + "/controllers", Why: "libraries do not know the leaves"},
	{From: "pkg", Deny: Module + "/cmd", Why: "libraries do not know the leaves"},
	{From: "pkg", Deny: Module + "/functions", Why: "libraries do not know the leaves"},
	{From: "controllers", Deny: Module + "/cmd", Why: "the command line wires controllers, never back"},
	{From: "controllers", Deny: Module + "/functions", Why: "leaves do not know each other"},
	{From: "cmd", Deny: Module + "/functions", Why: "leaves do not know each other; the catalog is in pkg"},
	{From: "functions", Deny: Module + "/controllers", Why: "leaves do not know each other"},
	{From: "functions", Deny: Module + "/cmd", Why: "leaves do not know each other"},

	{From: "functions", Deny: "k8s.io/client-go", Why: "a function image carries no cluster client"},
	{From: "functions", Deny: "sigs.k8s.io/controller-runtime", Why: "a function image carries no cluster client"},
	{From: "functions", Deny: "github.com/go-git/go-git", Why: "a function image carries no Git"},
	{From: "functions", Deny: Module + "/pkg/gitrepo", Why: "a function image carries no Git"},
	{From: "functions", Deny: "github.com/google/go-containerregistry", Why: "a function image builds no images"},
	{From: "functions", Deny: "github.com/spf13/cobra", Why: "a function has no verbs, only --help"},

	{From: "cmd/waybill", Deny: Module + "/controllers/manager", Why: quickStart, Alone: true},
	{From: "cmd/waybill", Deny: "sigs.k8s.io/controller-runtime", Why: quickStart, Alone: true},
	{From: "cmd/waybill", Deny: "k8s.io/client-go/kubernetes", Why: quickStart, Alone: true},
	{From: "cmd/waybill", Deny: "k8s.io/api", Why: quickStart, Alone: true},
	{From: "cmd/waybill", Deny: "k8s.io/apiserver", Why: quickStart, Alone: true},
	{From: "cmd/waybill", Deny: "k8s.io/component-base", Why: quickStart, Alone: true},
	{From: "cmd/waybill", Deny: "github.com/prometheus", Why: quickStart, Alone: true},

	{From: "functions/bundle-manifestwork", Deny: "github.com/google/cel-go",
		Why: "agents evaluate expressions; the bundler only writes them"},

	{From: "pkg", Deny: "k8s.io/client-go", Why: "libraries are values in, values out; clusters are for controllers"},
	{From: "pkg", Deny: "sigs.k8s.io/controller-runtime", Why: "libraries are values in, values out; clusters are for controllers"},

	{From: "", Deny: "github.com/GoogleContainerTools/kpt", Why: "we meet kpt's contract, we do not link kpt"},
	{From: "", Deny: "github.com/kptdev/kpt", Except: "github.com/kptdev/kpt/api", Why: "we meet kpt's contract, we do not link kpt"},
	{From: "", Deny: "github.com/nephio-project/porch", Why: "we meet Porch's contract, we do not link Porch"},
	{From: "", Deny: "github.com/kptdev/porch", Why: "we meet Porch's contract, we do not link Porch"},
	{From: "", Deny: "github.com/kubestellar", Why: "we meet KubeStellar's contract, we do not link KubeStellar"},
}

// Homes are the heavy libraries and the only folders whose files, tests included, name them.
var Homes = []Home{
	{Library: "github.com/go-git", In: []string{"pkg/gitrepo"}, Why: "one folder knows Git"},
	{Library: "k8s.io/client-go", In: []string{"controllers", "cmd"}, Why: "one place talks to API servers"},
	{Library: "sigs.k8s.io/controller-runtime", In: []string{"controllers", "cmd"}, Why: "one place talks to API servers"},
	{Library: "github.com/google/go-containerregistry", In: []string{"pkg/image", "pkg/oci", "cmd"},
		Why: "one folder knows images, one artifacts; the command line hands its values on"},
	{Library: "github.com/aws", In: []string{"pkg/sharedcache"}, Why: "one folder signs requests to S3-compatible stores"},
	{Library: "github.com/google/cel-go", In: []string{"pkg/cel", "pkg/render", "pkg/status", "pkg/variant", "pkg/mapcontroller",
		"pkg/apisync", "pkg/bundling"}, Why: "only where expressions are evaluated; the bundler's tests evaluate what it writes for agents"},
	{Library: "helm.sh/helm", In: []string{"pkg/helm/chart"},
		Why: "one folder knows Helm, and only what links no kinds: see docs/decisions/0023"},
	{Library: "github.com/spf13/cobra", In: []string{"cmd"}, Why: "verbs and flags belong to the command line"},
	{Library: "github.com/docker", In: []string{"pkg/runner/container"}, Why: "one folder knows container engines"},
	{Library: "github.com/moby", In: []string{"pkg/runner/container"}, Why: "one folder knows container engines"},
	{Library: "github.com/containerd", In: []string{"pkg/runner/container"}, Why: "one folder knows container engines"},
	{Library: "github.com/containers", In: []string{"pkg/runner/container"}, Why: "one folder knows container engines"},
}
