package writeback

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestEdit(t *testing.T) {
	const head = "apiVersion: apps/v1\nkind: Deployment\n"
	cases := map[string]struct{ reason, status, in, out string }{
		"New": {"status and label are added, comments stay", "{replicas: 2}",
			head + "metadata: # who\n  name: web # it\n  namespace: shop\nspec: {replicas: 2}\n",
			head + "metadata: # who\n  name: web # it\n  namespace: shop\n  labels:\n    managed-by.kubestellar.io/singletonstatus: \"true\"\nspec: {replicas: 2}\nstatus:\n  replicas: 2\n"},
		"Replaced": {"in place, with the label swapped", "{replicas: 2}",
			head + "metadata:\n  name: web\n  namespace: shop\n  labels:\n    a: b # mine\n    managed-by.kubestellar.io/multiwecstatus: \"true\"\nstatus: {old: 1}\nspec: {replicas: 2}\n",
			head + "metadata:\n  name: web\n  namespace: shop\n  labels:\n    a: b # mine\n    managed-by.kubestellar.io/singletonstatus: \"true\"\nstatus:\n  replicas: 2\nspec: {replicas: 2}\n"},
		"Same": {"what is there stays byte for byte", "{replicas: 2}",
			head + "metadata:\n  name:   web\n  namespace: shop\n  labels: {managed-by.kubestellar.io/singletonstatus: 'true'}\nstatus: {replicas:   2} # ok\n",
			head + "metadata:\n  name:   web\n  namespace: shop\n  labels: {managed-by.kubestellar.io/singletonstatus: 'true'}\nstatus: {replicas:   2} # ok\n"},
		"Cleared": {"an empty status, and no empty labels", "",
			head + "metadata:\n  name: web\n  namespace: shop\n  labels:\n    managed-by.kubestellar.io/singletonstatus: \"true\"\nstatus:\n  replicas: 2\n",
			head + "metadata:\n  name: web\n  namespace: shop\nstatus: {}\n"},
		"Untouched": {"a status that was not returned is not cleared", "",
			head + "metadata:\n  name: web\n  namespace: shop\nstatus: {replicas: 1}\n",
			head + "metadata:\n  name: web\n  namespace: shop\nstatus: {replicas: 1}\n"},
		"NullLabels": {"labels may be null", "{replicas: 2}",
			head + "metadata:\n  name: web\n  labels:\n  namespace: shop\n",
			head + "metadata:\n  name: web\n  labels:\n    managed-by.kubestellar.io/singletonstatus: \"true\"\n  namespace: shop\nstatus:\n  replicas: 2\n"},
		"EmptyLabels": {"or empty", "{replicas: 2}",
			head + "metadata:\n  name: web\n  namespace: shop\n  labels: {}\n",
			head + "metadata:\n  name: web\n  namespace: shop\n  labels:\n    managed-by.kubestellar.io/singletonstatus: \"true\"\nstatus:\n  replicas: 2\n"},
		"Aliases": {"what others refer to may go, and labels may be shared", "{replicas: 2}",
			head + "metadata:\n  name: web\n  namespace: shop\n  labels: &l\n    a: b\nstatus:\n  old: &o {x: y}\nspec:\n  selector: *l\n  keep: *o\n",
			head + "metadata:\n  name: web\n  namespace: shop\n  labels:\n    a: b\n    managed-by.kubestellar.io/singletonstatus: \"true\"\nstatus:\n  replicas: 2\nspec:\n  selector:\n    a: b\n  keep: {x: y}\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			want, of := wanted(deployment, nil, nil), seen(t, deployment, nil)
			if tc.status != "" {
				want, of = wanted(deployment, []string{"e1"}, nil), seen(t, deployment, map[string]string{"e1": tc.status})
			}
			for range 2 { // the second time on what the first time made
				tc.in = edited(t, tc.in, func(o Object) Decision { return Decide(o, want, of, Options{}) })
				if diff := cmp.Diff(tc.out, tc.in); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
				}
			}
		})
	}
}

// edited is the text of an object with a decision carried out.
func edited(t *testing.T, text string, decide func(Object) Decision) string {
	t.Helper()
	objs, err := krm.Read("in.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	o, err := ObjectIn(deployment, objs[0])
	if err != nil {
		t.Fatal(err)
	}
	d := decide(o)
	if err := Edit(objs[0], d); err != nil {
		t.Fatal(err)
	}
	if !d.Changed { // files of unchanged objects are not written
		return text
	}
	out, err := krm.Write(objs)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestObjectInRefuses(t *testing.T) {
	objs, err := krm.Read("in.yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nstatus: {x: .nan}\n"), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ObjectIn(deployment, objs[0]); err == nil || !strings.Contains(err.Error(), "status: x:") {
		t.Errorf("want an error about status.x, got %v", err)
	}
	if err := Edit(objs[0], Decision{Outcome: Copy, Changed: true, Status: m{"x": func() {}}}); err == nil || !strings.Contains(err.Error(), "write status") {
		t.Errorf("want an error about writing, got %v", err)
	}
}
