package upsert

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

func read(t *testing.T, text string) []*krm.Object {
	t.Helper()
	objects, err := krm.Read("in.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// TestBounds puts an object into a package that has it two thousand times, again and again.
func TestBounds(t *testing.T) {
	testenv.Long(t, "inputs at the bounds")
	const same = "- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {n: '%d'}}\n"
	var config strings.Builder
	config.WriteString("apiVersion: v1\nkind: List\nmetadata: {name: l}\nitems:\n")
	for i := range 2_000 {
		fmt.Fprintf(&config, same, i)
	}
	in := &fn.Input{
		Items:  read(t, strings.Repeat("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", 2_000)),
		Config: read(t, config.String())[0],
	}
	var got []string
	for _, r := range Function.Apply(t.Context(), in).Results {
		got = append(got, fn.FormatResult(r))
	}
	want := []string{"[error] List l items: Invalid value: have more than 5000000 values, counted for every object of the package that is replaced"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("four million objects are too many (-want +got):\n%s", d)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("the end of the context is the error: %v", err)
	}
}

// TestKptfile wants no object in a Kptfile, which holds itself alone.
func TestKptfile(t *testing.T) {
	for _, target := range []string{"Kptfile", "./Kptfile", "sub/Kptfile", "sub/../Kptfile"} {
		config := read(t, "apiVersion: fn.waybill.dev/v1alpha1\nkind: UpsertResource\nmetadata: {name: u}\nresources:\n- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n    annotations: {config.kubernetes.io/target-path: "+target+"}\n")[0]
		out := Function.Apply(t.Context(), &fn.Input{Config: config})
		want := `[error] UpsertResource u resources[0].metadata.annotations[config.kubernetes.io/target-path]: Invalid value: "` + target + `": a Kptfile holds nothing but the Kptfile; name another file`
		if d := cmp.Diff(want, fn.FormatResult(out.Results[0])); d != "" {
			t.Errorf("%s (-want +got):\n%s", target, d)
		}
	}
}
