package validation_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
)

func TestValidatePublishedResource(t *testing.T) {
	const rel = "spec.related[0]"
	for name, tc := range map[string]struct {
		reason, text string
		want         []string
	}{
		"least":         {"what there must be", published(""), nil},
		"least related": {"what there must be of a related entry", related(""), nil},
		"nothing": {"all that is missing", "apiVersion: waybill.dev/v1alpha1\nkind: PublishedResource\n", []string{
			"metadata.name: Required value: name the object",
			"spec.resource.kind: Required value: name the kind of the type",
		}},
		"core": {"the core group has no name", strings.Replace(published(""), "apiGroup: apps.example", `apiGroup: ""`, 1), nil},
		"words": {"in the order of fields", strings.Replace(published(", projection: {group: a_b, kind: '9', plural: A, scope: Both, shortNames: [a, a], categories: [''], versions: {V1: v1, v1: W}}, agentName: 9a, cluster: -, view: All, adoptionPolicy: Yes, driftPolicy: No"),
			"apiGroup: apps.example, kind: ShopOrder", "apiGroup: Apps, kind: Shop.Order, versions: [v1, v1, V]", 1), []string{
			"spec.resource.apiGroup", "spec.resource.kind", "spec.resource.versions[1]", "spec.resource.versions[2]",
			"spec.projection.group", "spec.projection.kind", "spec.projection.plural", "spec.projection.scope", "spec.projection.shortNames[1]", "spec.projection.categories[0]",
			"spec.projection.versions", "spec.projection.versions[v1]", "spec.agentName", "spec.cluster", "spec.view", "spec.adoptionPolicy", "spec.driftPolicy",
		}},
		"both versions":          {"one way to write them", strings.Replace(published(""), "kind: ShopOrder", "kind: ShopOrder, version: v1, versions: [v1]", 1), []string{"spec.resource.version: Forbidden: there are versions already; it is the deprecated way to write them"}},
		"both projected":         {"one way to rename them", published(", projection: {version: v2, versions: {v1: v2}}"), []string{"spec.projection.version: Forbidden: there are versions already; it is the deprecated way to write them"}},
		"one name for two":       {"it is not clear which of them", strings.Replace(published(", projection: {version: v2}"), "kind: ShopOrder", "kind: ShopOrder, versions: [v1, v3]", 1), []string{"spec.projection.version: Forbidden: more than one version is selected in spec.resource; use versions"}},
		"one of one":             {"the deprecated way, as it was meant", strings.Replace(published(", projection: {version: v2}"), "kind: ShopOrder", "kind: ShopOrder, version: v1", 1), nil},
		"renamed to one":         {"names must stay apart", strings.Replace(published(", projection: {versions: {v1: v2}}"), "kind: ShopOrder", "kind: ShopOrder, versions: [v1, v2]", 1), []string{"spec.projection.versions: Invalid value: v1 and v2 would both be called v2"}},
		"swapped":                {"and may change places", strings.Replace(published(", projection: {versions: {v1: v2, v2: v1}}"), "kind: ShopOrder", "kind: ShopOrder, versions: [v1, v2]", 1), nil},
		"renamed unselected":     {"a slip of the pen", strings.Replace(published(", projection: {versions: {v3: v2}}"), "kind: ShopOrder", "kind: ShopOrder, versions: [v1]", 1), []string{`spec.projection.versions[v3]: Invalid value: "v2": this version is not selected in spec.resource`}},
		"renamed unknown":        {"which versions there are, only the definition says", published(", projection: {versions: {v3: v2, v1: v2}}"), nil},
		"renamed to nothing":     {"a version has a name", published(", projection: {versions: {v3: ''}}"), []string{"spec.projection.versions[v3]: Required value: name a version"}},
		"many versions":          {"more than there can be", published(", projection: {versions: {" + many(51, "v%d: w%[1]d") + "}}"), []string{"spec.projection.versions: Too many: 51: must have at most 50 items"}},
		"filter":                 {"selectors are what they are elsewhere", published(", filter: {namespace: {matchLabels: {'-': a, b: _}}, resource: {matchExpressions: [{key: a, operator: In}, {key: b, operator: Is}]}, onExclude: Drop}"), []string{"spec.filter.namespace.matchLabels", "spec.filter.namespace.matchLabels", "spec.filter.resource.matchExpressions[0].values", "spec.filter.resource.matchExpressions[1].operator", "spec.filter.onExclude"}},
		"filter template":        {"a filter is no template", published(", filter: {resource: {matchLabels: {a: '{{ .x }}'}}}"), []string{"spec.filter.resource.matchLabels"}},
		"naming":                 {"templates are bounded", published(", naming: {name: a, namespace: " + strings.Repeat("a", 10241) + "}"), []string{"spec.naming.namespace: Too long: may not be more than 10240 bytes"}},
		"rules":                  {"exactly one thing each", published(", mutation: {spec: [{}, {delete: {path: a}, cel: {path: a, expression: b}}], status: [{delete: {path: a}}]}"), []string{"spec.mutation.spec[0]: Invalid value: give it exactly one of delete, regex, template and cel", "spec.mutation.spec[1]: Invalid value: give it exactly one of delete, regex, template and cel"}},
		"rules empty":            {"and all of it", published(", mutation: {status: [{delete: {path: ''}}, {regex: {path: '', pattern: '('}}, {template: {path: '', template: ''}}, {cel: {path: '', expression: ''}}]}"), []string{"spec.mutation.status[0].delete.path", "spec.mutation.status[1].regex.path", "spec.mutation.status[1].regex.pattern", "spec.mutation.status[2].template.path", "spec.mutation.status[3].cel.path", "spec.mutation.status[3].cel.expression"}},
		"template empty":         {"it sets the empty text", published(", mutation: {spec: [{template: {path: a, template: ''}}]}"), nil},
		"template long":          {"templates are bounded", published(", mutation: {spec: [{template: {path: a, template: " + strings.Repeat("a", 10241) + "}}]}"), []string{"spec.mutation.spec[0].template.template: Too long: may not be more than 10240 bytes"}},
		"regex unconditional":    {"without a pattern it sets", published(", mutation: {spec: [{regex: {path: a, replacement: b}}]}"), nil},
		"pattern":                {"said in the words of RE2", published(", mutation: {spec: [{regex: {path: a, pattern: 'a(?=b)'}}]}"), []string{"spec.mutation.spec[0].regex.pattern: Invalid value: \"a(?=b)\": want a regular expression of RE2: invalid or unsupported Perl syntax"}},
		"pattern large":          {"repeats of repeats are refused", published(", mutation: {spec: [{regex: {path: a, pattern: '((a{500}){500}){500}'}}]}"), []string{"spec.mutation.spec[0].regex.pattern: Invalid value: \"((a{500}){500}){500}\": want a regular expression of RE2: invalid repeat count"}},
		"patterns large":         {"together they would fill memory", published(", mutation: {spec: [" + many(20, "{regex: {path: a%d, pattern: '"+strings.Repeat("a{1000}", 9)+"'}}") + "]}"), []string{"spec.mutation.spec[5].regex.pattern: Forbidden: the regular expressions up to this one are too large together; repeat less"}},
		"patterns fine":          {"large classes are one step", published(", mutation: {spec: [" + many(20, `{regex: {path: a%d, pattern: '^\pL{1,253}$'}}`) + "]}"), nil},
		"many rules":             {"more than there can be", published(", mutation: {spec: [" + many(101, "{delete: {path: a%d}}") + "]}"), []string{"spec.mutation.spec: Too many: 101: must have at most 100 items"}},
		"paths":                  {"folders of the package", published(", paths: {source: /a, destination: a/../..}"), []string{`spec.paths.source: Invalid value: "/a": want a relative path inside the package`, `spec.paths.destination: Invalid value: "a/../..": want a relative path inside the package`}},
		"paths within":           {"an object has one side", published(", paths: {source: a/b, destination: a/c/../b/d}"), []string{`spec.paths.destination: Invalid value: "a/c/../b/d": want a folder beside "a/b", neither within the other`}},
		"paths around":           {"the other way round, too", published(", paths: {source: a/b, destination: ./}"), []string{`spec.paths.destination: Invalid value: "./": want a folder beside "a/b", neither within the other`}},
		"paths beside":           {"names may begin alike", published(", paths: {source: a/b, destination: a/bc}"), nil},
		"path alone":             {"the other side says so itself", published(", paths: {source: .}"), nil},
		"path backslash":         {"not on Windows", published(`, paths: {source: 'a\b'}`), []string{`spec.paths.source: Invalid value: "a\\b": want the parts of the path separated by /`}},
		"limit negative":         {"less than nothing", published(", maxDeletions: -1"), []string{`spec.maxDeletions: Invalid value: "-1": want a whole number from 0, or a percentage up to 100%`}},
		"limit percent":          {"more than all", published(", maxDeletions: 101%"), []string{`spec.maxDeletions: Invalid value: "101%": want a whole number from 0, or a percentage up to 100%`}},
		"limit empty":            {"empty text is no limit, and may be a slip", published(", maxDeletions: ''"), []string{`spec.maxDeletions: Invalid value: "": want a whole number from 0, or a percentage up to 100%`}},
		"limit fine":             {"a number as text", published(", maxDeletions: '7'"), nil},
		"identifiers":            {"names of annotations are made of them", published(", related: [{identifier: a_b}, {identifier: primary}, {identifier: ''}, {identifier: credsSecret-1}, {identifier: credsSecret-1}, {identifier: " + strings.Repeat("a", 58) + "}]"), identifierFaults()},
		"origin":                 {"one of two", strings.Replace(related(""), "origin: service", "origin: there", 1), []string{rel + `.origin: Unsupported value: "there": supported values: "kcp", "service"`}},
		"type none":              {"one of two forms", strings.Replace(related(""), "version: v1, resource: secrets, ", "", 1), []string{rel + ".resource: Required value: name the lower-case plural, and the version"}},
		"type half":              {"version and resource go together", strings.Replace(related(""), "version: v1, ", "", 1), []string{rel + ".version: Required value: name the version, too"}},
		"type other half":        {"likewise", strings.Replace(related(""), "resource: secrets, ", "", 1), []string{rel + ".resource: Required value: name the lower-case plural, and the version"}},
		"group alone":            {"a group requires both", strings.Replace(related(""), "version: v1, resource: secrets", "group: a", 1), []string{rel + ".resource: Required value: name the lower-case plural, and the version"}},
		"type kind":              {"the deprecated form", strings.Replace(related(""), "version: v1, resource: secrets", "kind: ConfigMap", 1), nil},
		"type both":              {"not both", related(", kind: Secret"), []string{rel + ".kind: Forbidden: it is the deprecated way to write version and resource; with group, version or resource it cannot be"}},
		"type kind other":        {"two kinds and no more", strings.Replace(related(""), "version: v1, resource: secrets", "kind: Pod", 1), []string{rel + `.kind: Unsupported value: "Pod": supported values: "ConfigMap", "Secret"`}},
		"identity":               {"a type of another export has a group", related(", identityHash: abc"), []string{rel + ".identityHash: Forbidden: it needs group, version and resource"}},
		"identity fine":          {"with a group it is one", related(", identityHash: abc, group: a.example"), nil},
		"identity kind":          {"the core group is in no export", strings.Replace(related(", identityHash: abc"), "version: v1, resource: secrets", "kind: Secret", 1), []string{rel + ".identityHash: Forbidden: it needs group, version and resource"}},
		"projection":             {"of words like the type itself", related(", projection: {group: A, version: V, resource: Secrets}"), []string{rel + ".projection.group", rel + ".projection.version", rel + ".projection.resource"}},
		"object none":            {"one way to find them", strings.Replace(related(""), "reference: {path: spec.a}", "", 1), []string{rel + ".object: Invalid value: give it exactly one of reference, selector and template"}},
		"object two":             {"and no more", strings.Replace(related(""), "path: spec.a}", "path: spec.a}, template: {template: a}", 1), []string{rel + ".object: Invalid value: give it exactly one of reference, selector and template"}},
		"namespace none":         {"nor for namespaces", strings.Replace(related(""), "path: spec.a}", "path: spec.a}, namespace: {}", 1), []string{rel + ".object.namespace: Invalid value: give it exactly one of reference, selector and template"}},
		"reference":              {"it names a field", strings.Replace(related(""), "path: spec.a}", "path: '', regex: {pattern: '['}}", 1), []string{rel + ".object.reference.path", rel + ".object.reference.regex.pattern"}},
		"template":               {"it says something", strings.Replace(related(""), "reference: {path: spec.a}", "template: {template: ''}", 1), []string{rel + ".object.template.template: Required value: give it a Go template"}},
		"selector":               {"what a match is called over there must be said", strings.Replace(related(""), "reference: {path: spec.a}", "selector: {matchLabels: {a: b}, rewrite: {}}", 1), []string{rel + ".object.selector.rewrite: Invalid value: give it exactly one of regex and template"}},
		"selector two":           {"in one way", strings.Replace(related(""), "reference: {path: spec.a}", "selector: {rewrite: {regex: {pattern: a}, template: {template: b}}}", 1), []string{rel + ".object.selector.rewrite: Invalid value: give it exactly one of regex and template"}},
		"selector template":      {"keys and values may be templates", strings.Replace(related(""), "reference: {path: spec.a}", "selector: {matchLabels: {'{{ .k }}': a, b: '{{ .v }}'}, rewrite: {regex: {pattern: a}}}", 1), nil},
		"selector near template": {"what stands beside a template is checked", strings.Replace(related(""), "reference: {path: spec.a}", "selector: {matchLabels: {'{{ .k }}': _, _: '{{ .v }}'}, matchExpressions: [{key: a, operator: In, values: ['{{ .x }}']}], rewrite: {regex: {pattern: a}}}", 1), []string{rel + ".object.selector.matchLabels", rel + ".object.selector.matchLabels", rel + ".object.selector.matchExpressions[0].values[0]"}},
		"cleanup both":           {"one way to say it", related(", cleanup: true, cleanupPolicy: Orphan"), []string{rel + ".cleanupPolicy: Forbidden: there is cleanup already"}},
		"cleanup policy":         {"one of three", related(", cleanupPolicy: Always"), []string{rel + `.cleanupPolicy: Unsupported value: "Always": supported values: "MatchOrigin", "OnPrimaryDeletion", "Orphan"`}},
		"adoption":               {"one of three", related(", adoptionPolicy: Take"), []string{rel + `.adoptionPolicy: Unsupported value: "Take": supported values: "Converge", "Never", "Preserve"`}},
		"allowed": {"names and patterns", related(", allowedNames: ['tenant-*', 'system:a', 'a/b', 'tenant-*', ''], allowedNamespaces: [kube-system, 't-*', A], allowedSourceNamespaces: ['*', a.b]"), []string{
			rel + `.allowedNames[2]: Invalid value: "a/b": want a name of at most 253 characters, in which * stands for any text`,
			rel + `.allowedNames[3]: Duplicate value: "tenant-*"`, rel + `.allowedNames[4]: Required value: must not be empty`,
			rel + `.allowedNamespaces[2]: Invalid value: "A": want a namespace of at most 63 lower-case letters, digits and dashes, in which * stands for any text`,
			rel + `.allowedSourceNamespaces[1]: Invalid value: "a.b": want a namespace of at most 63 lower-case letters, digits and dashes, in which * stands for any text`,
		}},
		"status":         {"a status that changes must be noticed", related(", syncStatus: true"), []string{rel + ".watch: Required value: syncStatus needs it where the origin is service"}},
		"status watched": {"it is", related(", syncStatus: true, watch: {byOwner: {}}"), nil},
		"status kcp":     {"sources are watched anyway", strings.Replace(related(", syncStatus: true"), "origin: service", "origin: kcp", 1), nil},
		"watch none":     {"one way to watch", related(", watch: {}"), []string{rel + ".watch: Invalid value: give it exactly one of byOwner and bySelector"}},
		"watch two":      {"and no more", related(", watch: {byOwner: {}, bySelector: {matchLabels: {a: _}}}"), []string{rel + ".watch: Invalid value: give it exactly one of byOwner and bySelector", rel + ".watch.bySelector.matchLabels"}},
		"related rules":  {"as for the primary", related(", mutation: {spec: [{}]}"), []string{rel + ".mutation.spec[0]: Invalid value: give it exactly one of delete, regex, template and cel"}},
		"many related":   {"more than there can be", published(", related: [" + many(51, "{identifier: a%d}") + "]"), []string{"spec.related: Too many: 51: must have at most 50 items"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, like(tc.want, read(t, tc.text))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// like are the faults of p; where a path alone is wanted, its words are left off: they are apimachinery's.
func like(want []string, p *waybill.PublishedResource) (got []string) {
	for i, err := range validation.PublishedResource(p) {
		text := err.Error()
		if i < len(want) && !strings.Contains(want[i], ": ") {
			text = err.Field
		}
		got = append(got, text)
	}
	return got
}

// identifierFaults are those of entries that have nothing else.
func identifierFaults() (want []string) {
	const rest = ".origin .resource .object"
	for i, identifier := range []string{".identifier ", ".identifier ", ".identifier ", "", ".identifier ", ".identifier "} {
		for _, at := range strings.Fields(identifier + rest) {
			want = append(want, fmt.Sprintf("spec.related[%d]%s", i, at))
		}
	}
	return want
}

// many is a list of n entries.
func many(n int, entry string) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(entry, i))
	}
	return strings.Join(all, ", ")
}

// TestBoundsAreThoseOfTheDefinition keeps files and API servers to the same numbers.
func TestBoundsAreThoseOfTheDefinition(t *testing.T) {
	data, err := os.ReadFile("../../../../controllers/manifests/crds/waybill.dev_publishedresources.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, bound := range []string{"maxItems: 50", "maxItems: 100", "maxProperties: 50", "maxLength: 1024", "maxLength: 4096", "maxLength: 10240", "maxLength: 57", "maxLength: 253"} {
		if !strings.Contains(string(data), bound+"\n") {
			t.Errorf("the definition has no %q", bound)
		}
	}
}
