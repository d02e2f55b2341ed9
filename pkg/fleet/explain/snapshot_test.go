package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner/choose"
	"github.com/waybill-dev/waybill/pkg/style"
)

// rendered renders a package, which lies in a folder named root.
func rendered(t testing.TB, root string, files map[string][]byte) *Snapshot {
	t.Helper()
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	return snapshotOf(t, root, tree)
}

func snapshotOf(t testing.TB, root string, tree pkgtree.Tree) *Snapshot {
	t.Helper()
	result := renderTraced(t, tree, true)
	w, err := NewSnapshot(root, result.Tree, nil, []Package{{Result: result}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func renderTraced(t testing.TB, tree pkgtree.Tree, trace bool) *render.Result {
	t.Helper()
	factory, err := (&choose.Options{Runtime: "inproc"}).Factory()
	if err != nil {
		t.Fatal(err)
	}
	result, err := render.Render(context.Background(), tree, render.Options{Functions: factory, Name: "shop", Trace: trace})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// ask is the answer to a question, and what it is as text.
func ask(t testing.TB, w *Snapshot, question string, fields bool) (*waybill.FleetExplanation, string) {
	t.Helper()
	q, err := ParseQuestion(question)
	if err != nil {
		t.Fatal(err)
	}
	q.Fields = fields
	x, err := w.Explain(q)
	if err != nil {
		return nil, "error: " + err.Error() + "\n"
	}
	var b, painted bytes.Buffer
	if err := errors.Join(Text(&b, x), Text(style.On(&painted, true), x)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b.String(), style.Plain(painted.String())); diff != "" || painted.Len() == b.Len() {
		t.Errorf("%s: in colours (-plain +without codes):\n%s", question, diff)
	}
	data, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"\x1b", "\u202e", "\r", "hunter2"} {
		if strings.Contains(b.String(), bad) || bad == "hunter2" && strings.Contains(string(data), bad) {
			t.Errorf("%s: %q is shown:\n%s\n%s", question, bad, b.String(), data)
		}
	}
	return x, b.String()
}

// example is a package in the folder of examples.
func example(t testing.TB, name string) *Snapshot {
	t.Helper()
	if _, err := os.Stat("../../../examples/" + name); err != nil {
		t.Fatal(err)
	}
	tree, err := pkgtree.ReadDir("../../../examples/"+name, render.InputFiles)
	if err != nil {
		t.Fatal(err)
	}
	return snapshotOf(t, "", tree)
}
