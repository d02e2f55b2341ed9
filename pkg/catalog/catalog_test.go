package catalog

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/setlabels"
	"github.com/waybill-dev/waybill/pkg/mutators/setnamespace"
)

func TestByImage(t *testing.T) {
	cases := map[string]struct{ reason, image, want string }{
		"Ours":                 {"this release", "ghcr.io/waybill-dev/bind-resolve:" + Version, "bind-resolve"},
		"OursUntagged":         {"no tag is any release", "ghcr.io/waybill-dev/bind-resolve", "bind-resolve"},
		"OursLatest":           {"so is latest", "ghcr.io/waybill-dev/bind-resolve:latest", "bind-resolve"},
		"OursOther":            {"another release may give other bytes", "ghcr.io/waybill-dev/bind-resolve:v0.0.9", ""},
		"Pinned":               {"who pins wants that very image", "ghcr.io/waybill-dev/bind-resolve@sha256:0000000000000000000000000000000000000000000000000000000000000000", ""},
		"Unknown":              {"not linked", "ghcr.io/waybill-dev/nothing", ""},
		"Elsewhere":            {"a copy somewhere else may be another function", "registry.example.com/waybill-dev/bind-resolve:" + Version, ""},
		"Catalogue":            {"kpt's own", "ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.4", "set-labels"},
		"CatalogueOld":         {"under its older name", "gcr.io/kpt-fn/set-labels:v0.2.0", "set-labels"},
		"CatalogueMinor":       {"a tag that floats within a minor version", "gcr.io/kpt-fn/set-labels:v0.2", "set-labels"},
		"CatalogueFloat":       {"and one that floats further", "gcr.io/kpt-fn/set-labels:unstable", "set-labels"},
		"CatalogueOther":       {"a version that works in another way", "gcr.io/kpt-fn/set-namespace:v0.2.0", ""},
		"CatalogueFormer":      {"a version of which we have the former way", "gcr.io/kpt-fn/set-labels:v0.1.5", "set-labels"},
		"CatalogueFormerMinor": {"likewise", "gcr.io/kpt-fn/set-namespace:v0.3", "set-namespace"},
		"CatalogueContrib":     {"what is contributed", "gcr.io/kpt-fn-contrib/kubeconform:v0.1.1", "kubeconform"},
		"CatalogueNear":        {"v0.20 is no v0.2", "gcr.io/kpt-fn/set-labels:v0.20.0", ""},
		"CatalogueOurs":        {"kpt's catalogue does not have ours", "gcr.io/kpt-fn/bind-resolve", ""},
		"OursCatalogue":        {"we publish those, too, with our own version", "ghcr.io/waybill-dev/set-labels:" + Version, "set-labels"},
		"Broken":               {"no image at all", "::", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := ""
			if f := ByImage(tc.image); f != nil {
				got = f.Name
			}
			if got != tc.want {
				t.Errorf("%s: %s is %q, want %q", tc.reason, tc.image, got, tc.want)
			}
		})
	}
}

// TestStandInsAreLinked guards the table: a name that is not linked would stand in for nothing.
func TestStandInsAreLinked(t *testing.T) {
	for name := range standIns {
		if images, versions := StandsInFor(name); ByName(name) == nil || len(images) != len(catalogues) || len(versions) == 0 {
			t.Errorf("%s stands in for %v %v, and is linked: %t", name, images, versions, ByName(name) != nil)
		}
	}
}

// TestFormer wants the function that works as the version does.
func TestFormer(t *testing.T) {
	for image, want := range map[string]*fn.Function{
		"gcr.io/kpt-fn/set-labels:v0.1.5":                           setlabels.V01,
		"gcr.io/kpt-fn/set-labels:v0.2":                             setlabels.Function,
		"gcr.io/kpt-fn/set-labels":                                  setlabels.Function,
		"gcr.io/kpt-fn/set-namespace:v0.3.4":                        setnamespace.V03,
		"ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1": setnamespace.Function,
	} {
		if got := ByImage(image); got != want {
			t.Errorf("%s is another function than it should be", image)
		}
	}
}

// TestTagsFor names the tags that a linked function stands in for, of images in another tag.
func TestTagsFor(t *testing.T) {
	for image, want := range map[string]string{
		"gcr.io/kpt-fn/set-labels:v0.3":                                "v0.1 v0.2 latest unstable",
		"ghcr.io/kptdev/krm-functions-catalog/starlark@sha256:" + zero: "v0.3 v0.4 v0.5 latest unstable",
		"ghcr.io/waybill-dev/bind-resolve:v9":                          Version + " latest",
		"gcr.io/kpt-fn/bind-resolve:v1":                                "",
		"registry.example.com/set-labels:v1":                           "",
		"::":                                                           "",
	} {
		if got := strings.Join(TagsFor(image), " "); got != want {
			t.Errorf("%s: %q, want %q", image, got, want)
		}
	}
}

const zero = "0000000000000000000000000000000000000000000000000000000000000000"

// TestPage holds the table in docs/kpt-differences.md to the versions that functions stand in for.
func TestPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/kpt-differences.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(data), "<!-- stand-ins -->")
	table, _, _ = strings.Cut(table, "<!-- /stand-ins -->")
	got := map[string][]string{}
	for _, row := range strings.Split(strings.TrimSpace(table), "\n")[2:] {
		cells := strings.Split(row, "|")
		got[strings.Trim(cells[1], " `")] = strings.Fields(strings.ReplaceAll(cells[2], "`", ""))
	}
	if d := cmp.Diff(standIns, got); d != "" {
		t.Errorf("(-program +page):\n%s", d)
	}
	for _, registry := range catalogues {
		if !strings.Contains(string(data), "`"+registry+"`") {
			t.Errorf("the page does not name %s", registry)
		}
	}
}
