package mark_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/kptfile/mark"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestSet(t *testing.T) {
	for name, tc := range map[string]struct{ reason, in, want string }{
		"new": {
			"comment and annotation, the annotation quoted as kpt does",
			"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\nspec: {}\n",
			"apiVersion: apps/v1\nkind: Deployment\nmetadata: # kpt-merge: shop/web\n  name: web\n  namespace: shop\n  annotations:\n    internal.kpt.dev/upstream-identifier: 'apps|Deployment|shop|web'\nspec: {}\n",
		},
		"no namespace": {
			"empty in the comment, default in the annotation; other annotations stay first",
			"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  annotations:\n    x: y\n",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: /a\n  name: a\n  annotations:\n    x: y\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|default|a'\n",
		},
		"renamed": {
			"the mark goes on naming the upstream object, and the annotation is computed from it",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: x/y\n  name: renamed\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|default|renamed'\n",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: x/y\n  name: renamed\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|x|y'\n",
		},
		"own comment": {
			"it moves behind the mark",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: # own words\n  name: a\n",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: /a # own words\n  name: a\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|default|a'\n",
		},
		"flow": {
			"kpt would put the comment on the next object",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {b: c}}\n",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: /a\n  name: a\n  labels: {b: c}\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|default|a'\n",
		},
		"all flow": {
			"kpt would write invalid YAML",
			"{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {b: c}}\n",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: /a\n  name: a\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|default|a'\ndata: {b: c}\n",
		},
		"by Porch": {
			"in flow style Porch loses the comment, and the annotation names the upstream object",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: eu-a, namespace: eu, annotations: {internal.kpt.dev/upstream-identifier: '|ConfigMap|shop|a'}}\n",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: shop/a\n  name: eu-a\n  namespace: eu\n  annotations: {internal.kpt.dev/upstream-identifier: '|ConfigMap|shop|a'}\n",
		},
		"by Porch, all flow": {
			"default stands for no namespace, too",
			"{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: eu, annotations: {internal.kpt.dev/upstream-identifier: '|ConfigMap|default|a'}}}\n",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: /a\n  name: a\n  namespace: eu\n  annotations: {internal.kpt.dev/upstream-identifier: '|ConfigMap|default|a'}\n",
		},
		"by Porch, in default": {
			"the object is still in the namespace default",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default, annotations: {internal.kpt.dev/upstream-identifier: '|ConfigMap|default|a'}}\n",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: default/a\n  name: a\n  namespace: default\n  annotations: {internal.kpt.dev/upstream-identifier: '|ConfigMap|default|a'}\n",
		},
		"annotation of another kind": {
			"it is not the object's own",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {internal.kpt.dev/upstream-identifier: '|Secret|x|b'}}\n",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: /a\n  name: a\n  annotations: {internal.kpt.dev/upstream-identifier: '|ConfigMap|default|a'}\n",
		},
		"annotation without comment": {
			"in block style the comment was removed: the object is another one now",
			"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|default|a'\n",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: /b\n  name: b\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|default|b'\n",
		},
		"Kptfile":  {"a Kptfile takes no marks", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\n", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\n"},
		"nameless": {"an object without a name takes none", "apiVersion: v1\nkind: ConfigMap\n", "apiVersion: v1\nkind: ConfigMap\n"},
	} {
		t.Run(name, func(t *testing.T) {
			once := mark.Set(read(t, tc.in))
			if diff := cmp.Diff(tc.want, write(t, once)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if again := read(t, write(t, once)); mark.Set(again) != again {
				t.Errorf("an object with its marks changed to:\n%s", write(t, mark.Set(again)))
			}
		})
	}
}

func read(t *testing.T, text string) *krm.Object {
	t.Helper()
	objects, err := krm.Read("a.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objects[0]
}

func write(t *testing.T, o *krm.Object) string {
	t.Helper()
	data, err := krm.Write([]*krm.Object{o})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
