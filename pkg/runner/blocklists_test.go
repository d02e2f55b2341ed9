package runner

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/setters"
)

// TestBlockedListsAgree has create-setters write lists in brackets as blocks, with their comments on the keys: it gives the same
// bytes on the objects themselves and through the protocol.
func TestBlockedListsAgree(t *testing.T) {
	const source = "apiVersion: v1\nkind: X\nmetadata:\n  name: x\nspec:\n  a: [one, two] # of items\n  b: [dev, prod] # replaced\n" +
		"  c: # above\n    [one] # behind\n  d:\n  - e: [one] # deep\n"
	const want = "apiVersion: v1\nkind: X\nmetadata:\n  name: x\nspec:\n  a: # of items\n  - one # kpt-set: ${item}\n  - two\n" +
		"  b: # kpt-set: ${envs}\n  - dev\n  - prod\n  # above\n  c: # behind\n  - one # kpt-set: ${item}\n  d:\n  - e: # deep\n    - one # kpt-set: ${item}\n"
	items, err := krm.Read("x.yaml", []byte(source), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	in := &fn.Input{Items: items, Config: parseOne(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {item: one, envs: '[prod, dev]'}\n")}
	direct, err := setters.Create.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	through, err := Exchange(t.Context(), in, func(ctx context.Context, stdin []byte) (stdout, stderr []byte, code int, err error) {
		var out, errs bytes.Buffer
		code = setters.Create.Serve(ctx, nil, bytes.NewReader(stdin), &out, &errs)
		return out.Bytes(), errs.Bytes(), code, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, written(t, direct.Items)); d != "" {
		t.Errorf("on the objects (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want, written(t, through.Items)); d != "" {
		t.Errorf("through the protocol (-want +got):\n%s", d)
	}
}
