package local_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// model is a fleet and what this test knows of it without asking the code under test.
type model struct {
	*fleet
	rt       *rapid.T
	seen     *tally
	readers  [2]*gitReader // blueprints, deployments
	variants map[string]*desiredVariant
	sites    map[string]int // second number of the cidr, by name
	set      *desiredSet
	budget   string          // a limit, or ""
	second   string          // one more Repository object over the deployments, or ""
	mirrored bool            // it is over a copy of them
	byHand   map[string]bool // package and workspace of branches that people made
	minutes  int
	serial   int
	releases int
}

// desiredVariant is what one PackageVariant wants.
type desiredVariant struct {
	name, pkg        string
	revision         int // 0: follow
	follow           string
	region, note     string // note "" is no pipeline, refusing one that fails
	tier, site       string
	orphan, adopt    bool
	recreate, exempt bool
	dying            bool
	set              bool // made by the set
}

// desiredSet is what the PackageVariantSet wants.
type desiredSet struct {
	prefix string
	desiredVariant
}

// refusing is the note of a pipeline that finds fault with everything.
const refusing = "refuse"

var (
	variantNames = []string{"eu", "us"}
	allSites     = []string{"lyon", "nice"}
)

// when is a time a minute after the one before.
func (m *model) when() time.Time {
	m.minutes++
	return gittest.Epoch.Add(time.Duration(m.minutes) * time.Minute)
}

// writeAll writes the objects again.
func (m *model) writeAll() {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(m.variants)) {
		b.WriteString(m.variants[name].object())
	}
	for _, name := range slices.Sorted(maps.Keys(m.sites)) {
		fmt.Fprintf(&b, "apiVersion: infra.example/v1\nkind: Site\nmetadata: {name: %s, namespace: fleet}\nspec: {cidr: %s}\n---\n", name, cidr(m.sites[name]))
	}
	if m.set != nil {
		b.WriteString(m.set.object())
	}
	if b.WriteString(m.second + m.limit()); b.Len() > 0 {
		m.write("model.yaml", b.String())
	} else if err := os.RemoveAll(m.path("fleet/model.yaml")); err != nil { // an empty file is an error
		m.Fatal(err)
	}
}

func cidr(n int) string { return fmt.Sprintf("10.%d.0.0/16", n) }

func (m *model) limit() string {
	if m.budget == "" {
		return ""
	}
	field, most, _ := strings.Cut(m.budget, " ")
	return fmt.Sprintf("apiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata: {name: careful, namespace: fleet}\nspec: {%s: %s}\n", field, most)
}

// upstream is spec.upstream.
func (w *desiredVariant) upstream() string {
	if w.revision == 0 {
		return fmt.Sprintf("  upstream: {repo: blueprints, package: shop, follow: %q}\n", w.follow)
	}
	return fmt.Sprintf("  upstream: {repo: blueprints, package: shop, revision: %d}\n", w.revision)
}

// common is what a variant and the template of a set have alike.
func (w *desiredVariant) common(indent string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, indent+format+"\n", args...) }
	line("packageContext: {data: {region: %s}}", w.region)
	if w.orphan {
		line("deletionPolicy: orphan")
	}
	if w.adopt {
		line("adoptionPolicy: adoptExisting")
	}
	if w.tier != "" {
		line("labels: {tier: %s}", w.tier)
	}
	switch w.note {
	case "":
	case refusing:
		line("pipeline: {mutators: [{image: example.com/refuse:v1}]}")
	default:
		line("pipeline: {mutators: [{image: example.com/note:v1, name: region, configMap: {region: %s}}]}", w.note)
	}
	return b.String()
}

func (w *desiredVariant) object() string {
	meta := fmt.Sprintf("{name: %s, namespace: fleet, annotations: {waybill.dev/open-draft: %s", w.name, map[bool]string{false: "keep", true: "recreate"}[w.recreate])
	if w.exempt {
		meta += ", waybill.dev/exceed-budget: ticket 7"
	}
	if meta += "}"; w.dying {
		meta += ", deletionTimestamp: 2026-01-01T00:00:00Z"
	}
	return "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: " + meta + "}\nspec:\n" + w.upstream() +
		"  downstream: {repo: deployments, package: " + w.pkg + "}\n" + w.common("  ") +
		"  injectors: [{kind: Site, name: " + w.site + "}]\n---\n"
}

func (s *desiredSet) object() string {
	return "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: edge, namespace: fleet}\nspec:\n" + s.upstream() +
		"  targets:\n  - objectSelector: {apiVersion: infra.example/v1, kind: Site}\n    template:\n" +
		"      downstream: {repo: deployments, packageExpr: \"'" + s.prefix + "/' + target.name\"}\n" + s.common("      ") +
		"      injectors: [{kind: Site, nameExpr: target.name}]\n---\n"
}
