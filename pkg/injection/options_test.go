package injection

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// configMap is the config that holds injectors as a text.
func configMap(t testing.TB, injectors string) *krm.Object {
	t.Helper()
	o, err := krm.FromTyped(map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "data": map[string]string{"injectors": injectors}})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// FuzzInjectors reads any text as the list of injectors. What is taken says the same when it is
// written as options of our own kind; what is refused is refused in one line that names the option.
func FuzzInjectors(f *testing.F) {
	for _, seed := range []string{
		"", "[]", "# none", "- name: a", "- {group: '', version: v1, kind: Site, name: a}\n- name: |\n    b\n", "[\n{name: a},\n{name: b}]", "- name: &a x\n- {name: *a}",
		"  - name: a\n  - name: b", "- name: a\r\n- name: b\r\n", "null", "-", "a", "{}", "- a", "- name: 1", "- name: a\n  name: b", "---\n- name: a", "- name: a\n...\nnamespace: b", "]", "\t- name: a", "- &a [*a]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		opts, err := readOptions(configMap(t, text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "data.injectors") {
				t.Errorf("%q is refused with %q", text, err)
			}
			return
		}
		o, err := krm.FromTyped(map[string]any{"apiVersion": "fn.waybill.dev/v1alpha1", "kind": configKind, "spec": map[string]any{"injectors": opts.Injectors}})
		if err != nil {
			t.Fatal(err)
		}
		again, err := readOptions(o)
		if diff := cmp.Diff(opts, again); diff != "" || err != nil {
			t.Errorf("%q as a list of our own kind: %v (-text +list):\n%s", text, err, diff)
		}
	})
}
