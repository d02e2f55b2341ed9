package fn

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func renderedObjects(t *testing.T, text string) []*krm.Object {
	t.Helper()
	objects, err := krm.Read("in.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

func settings(name, value string) string {
	return "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\ndata:\n  key: " + value + "\n"
}

// said are the results, one line each.
func said(o *Output) (lines []string) {
	for _, r := range o.Results {
		lines = append(lines, r.Message)
	}
	return lines
}

// data are the values of the ConfigMaps among items, by name.
func data(items []*krm.Object) map[string]string {
	all := map[string]string{}
	for _, o := range items {
		if o.Kind() == "ConfigMap" {
			all[o.Name()] += o.String("data", "key")
		}
	}
	return all
}

func TestRenderingMerge(t *testing.T) {
	r := Rendering{Function: "render", Config: "web"}
	first := r.Merge(&Input{}, renderedObjects(t, settings("a", "one")+settings("b", "one"))).Items
	edited := slices.Clone(first)
	edited[0] = edited[0].DeepCopy()
	krm.SetField(edited[0].Lookup("data"), "key", krm.StringNode("mine"))
	renamed := slices.Clone(first)
	renamed[1] = renamed[1].DeepCopy()
	krm.SetField(renamed[1].Lookup("metadata"), "name", krm.StringNode("c"))
	byOther := (Rendering{Function: "render", Config: "old"}).Merge(&Input{}, renderedObjects(t, settings("a", "one"))).Items
	cases := map[string]struct {
		reason   string
		in       []*krm.Object
		rendered string
		want     map[string]string
		said     string
	}{
		"Again":        {"the same again changes nothing", first, settings("a", "one") + settings("b", "one"), map[string]string{"a": "one", "b": "one"}, ""},
		"Edited":       {"what people change stays while the chart is the same", edited, settings("a", "one") + settings("b", "one"), map[string]string{"a": "mine", "b": "one"}, ""},
		"Changed":      {"a new rendering replaces the old one", first, settings("a", "two") + settings("b", "one"), map[string]string{"a": "two", "b": "one"}, ""},
		"EditedLost":   {"a new rendering of an edited object says so", edited, settings("a", "two") + settings("b", "one"), map[string]string{"a": "two", "b": "one"}, "is replaced"},
		"Removed":      {"what is no longer rendered goes", first, settings("b", "one"), map[string]string{"b": "one"}, ""},
		"RemovedLost":  {"and says so if it was edited", edited, settings("b", "one"), map[string]string{"b": "one"}, "is removed"},
		"Added":        {"a new one comes", first, settings("a", "one") + settings("b", "one") + settings("d", "x"), map[string]string{"a": "one", "b": "one", "d": "x"}, ""},
		"Renamed":      {"a later step may rename an object", renamed, settings("a", "one") + settings("b", "one"), map[string]string{"a": "one", "c": "one"}, ""},
		"ByHand":       {"no object of people is taken over", renderedObjects(t, settings("a", "mine")), settings("a", "one"), map[string]string{"a": "mine"}, "already holds this object"},
		"OtherConfig":  {"a config that was renamed does not take over, and says how", byOther, settings("a", "one"), map[string]string{"a": "one"}, "render/old rendered this object"},
		"Twice":        {"an object is there once", nil, settings("a", "one") + settings("a", "two"), map[string]string{}, "twice"},
		"Copied":       {"the annotation of a copy would make two of one", append(slices.Clone(renamed), first[1]), settings("a", "one") + settings("b", "one"), map[string]string{"a": "one", "b": "one", "c": "one"}, "that you copied"},
		"Emptied":      {"the function that renders nothing refuses that first", first, "", map[string]string{}, ""},
		"OtherPackage": {"objects of a subpackage stay", inSubpackage(t, first), settings("d", "x"), map[string]string{"a": "one", "b": "one", "d": "x"}, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			in := &Input{Items: tc.in}
			got := r.Merge(in, renderedObjects(t, tc.rendered))
			if d := cmp.Diff(tc.want, data(got.Items)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
			if all := strings.Join(said(got), "\n"); (all == "") != (tc.said == "") || !strings.Contains(all, tc.said) {
				t.Errorf("%s: results are %q, want %q", tc.reason, all, tc.said)
			}
			again := r.Merge(&Input{Items: got.Items}, renderedObjects(t, tc.rendered))
			if !got.Failed() && !slices.Equal(got.Items, again.Items) {
				t.Errorf("%s: a second run changes something", tc.reason)
			}
		})
	}
	if other := (Rendering{Function: "render", Config: "other"}).Merge(&Input{Items: first}, nil); !slices.Equal(other.Items, first) {
		t.Error("another config removes what this one rendered")
	}
}

// TestRenderingFollowsRenamed renders objects differently that a later function had renamed, and says that they change, not that they go.
func TestRenderingFollowsRenamed(t *testing.T) {
	r := Rendering{Function: "render", Config: "web"}
	render := func(value string) []*krm.Object {
		objects := renderedObjects(t, settings("a", value)+settings("b", "one"))
		for _, o := range objects {
			o.SetPath("out/"+o.Name()+".yaml", 0)
		}
		return objects
	}
	inNamespace := func(items []*krm.Object) (out []*krm.Object) {
		for _, o := range items {
			o = o.DeepCopy()
			krm.SetField(o.Lookup("metadata"), "namespace", krm.StringNode("later"))
			out = append(out, o)
		}
		return out
	}
	items := inNamespace(r.Merge(&Input{}, render("one")).Items)
	got := r.Merge(&Input{Items: items}, render("two"))
	if d := cmp.Diff(map[string]string{"a": "two", "b": "one"}, data(got.Items)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if all := said(got); len(all) != 1 || !strings.Contains(all[0], "is replaced") {
		t.Errorf("results are %q", all)
	}
	if again := r.Merge(&Input{Items: inNamespace(got.Items)}, render("two")); len(again.Results) > 0 || len(again.Items) != 2 {
		t.Errorf("again: %d items, %q", len(again.Items), said(again))
	}
	swapped := slices.Clone(items) // the file of one holds the other: it stays with its name
	swapped[0], swapped[1] = swapped[0].DeepCopy(), r.Merge(&Input{}, render("one")).Items[0]
	got = r.Merge(&Input{Items: swapped}, render("two"))
	if d := cmp.Diff(2, len(got.Items)); d != "" || data(got.Items)["a"] != "two" {
		t.Errorf("%v, %q", data(got.Items), said(got))
	}
}

// TestRenderingOfAnotherConfig names the config that rendered an object before.
func TestRenderingOfAnotherConfig(t *testing.T) {
	items := Rendering{Function: "render", Config: "old"}.Merge(&Input{}, renderedObjects(t, settings("a", "one"))).Items
	got := Rendering{Function: "render", Config: "new"}.Merge(&Input{Items: items}, renderedObjects(t, settings("a", "one")))
	if all := said(got); len(all) != 1 || !strings.Contains(all[0], "render/old rendered this object") {
		t.Errorf("results are %q", all)
	}
}

// inSubpackage are copies of items in a subpackage of a package, with both Kptfiles.
func inSubpackage(t *testing.T, items []*krm.Object) (out []*krm.Object) {
	t.Helper()
	for _, file := range []string{"Kptfile", "sub/Kptfile"} {
		o := renderedObjects(t, "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: "+strings.ReplaceAll(strings.ToLower(file), "/", "-")+"\n")[0]
		o.SetPath(file, 0)
		out = append(out, o)
	}
	for _, o := range items {
		o = o.DeepCopy()
		o.SetPath("sub/"+o.Name()+".yaml", 0)
		out = append(out, o)
	}
	return out
}
