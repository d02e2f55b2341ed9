package workload_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

func TestRefuseTypos(t *testing.T) {
	const nothing, meant = ": nothing reads this field; rename it to ", " if you mean that, or remove it"
	for name, tc := range map[string]struct{ reason, fields, want string }{
		"labels":             {"a letter swapped", "metadata: {name: a, lables: {}}", "metadata.lables" + nothing + "labels" + meant},
		"namespace":          {"a letter missing", "metadata: {name: a, namepace: n}", "metadata.namepace" + nothing + "namespace" + meant},
		"case":               {"another letter case", "metadata: {name: a, Namespace: n}", "metadata.Namespace" + nothing + "namespace" + meant},
		"annotations":        {"what it keeps would go", "metadata: {name: a, anotations: {}}", "metadata.anotations" + nothing + "annotations" + meant},
		"indent":             {"labels beside metadata", "labels: {a: b}", "labels: nothing reads labels here, so selectors do not see them; move them below metadata"},
		"namespace beside":   {"the object would be another one", "namespace: n", "namespace: nothing reads namespace here; move it below metadata"},
		"annotations beside": {"what they keep would go", "annotations: {waybill.dev/keep: 'true'}", "annotations: nothing reads annotations here; move it below metadata"},
		"short":              {"two letters of a short name", "metadata: {annotations: {waybill.dev/key: x, waybill.dev/node: x}}", ""},
		"value":              {"what is neither true nor false", "metadata: {annotations: {waybill.dev/keep: 'True'}}", `metadata.annotations[waybill.dev/keep]: want "true" or "false"`},
		"name":               {"a letter missing in our annotation", "metadata: {annotations: {waybill.dev/kep: 'true'}}", "metadata.annotations[waybill.dev/kep]: nothing reads this annotation; rename it to waybill.dev/keep if you mean that, or remove it"},
		"strategy":           {"a letter missing in another one", "metadata: {annotations: {waybill.dev/update-stategy: Update}}", "metadata.annotations[waybill.dev/update-stategy]: nothing reads this annotation; rename it to waybill.dev/update-strategy if you mean that, or remove it"},
		"well-formed":        {"nothing is wrong", "metadata: {name: a, namespace: n, labels: {}, annotations: {waybill.dev/keep: true, waybill.dev/context: 'false'}}", ""},
		"other fields":       {"Kubernetes has them", "metadata: {name: a, generateName: a-, finalizers: [], ownerReferences: [], managedFields: []}", ""},
		"foreign":            {"annotations of others are not ours to read", "metadata: {annotations: {example.org/kep: x}}", ""},
	} {
		objects, err := krm.Read("in.yaml", []byte("apiVersion: v1\nkind: ConfigMap\n"+tc.fields+"\n"), krm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, r := range workload.RefuseTypos(objects) {
			got = r.Field.Path + ": " + r.Message
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, tc.reason, d)
		}
	}
}

// TestAnnotationsAreListed finds the annotations and labels that any code names in the list.
func TestAnnotationsAreListed(t *testing.T) {
	named := regexp.MustCompile(`(?:ReservedPrefix \+ "|"waybill\.dev/|waybill\.Group \+ "/)([a-z-]+)"`)
	notAnnotations := map[string]bool{"map": true, "sync": true} // finalizers
	found := 0
	for _, root := range []string{"../../pkg", "../../controllers", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range named.FindAllSubmatch(text, -1) {
				found++
				if _, listed := workload.Annotations[string(m[1])]; !listed && !notAnnotations[string(m[1])] {
					t.Errorf("%s names waybill.dev/%s, which is not in the list", path, m[1])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 30 {
		t.Errorf("only %d annotations were found", found)
	}
}
