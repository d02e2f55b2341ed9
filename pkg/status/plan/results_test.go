package plan

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// TestSameResults compares random results with random stored ones, and wants what a comparison of whole objects says.
func TestSameResults(t *testing.T) {
	unchanged := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		want := randomResults(r)
		have := plainResults(t, want)
		if r.IntN(4) == 0 {
			breakStored(r, have)
		}
		if r.IntN(3) > 0 {
			want = changedResults(r, want)
		}
		whole, copied := plainResults(t, want), runtime.DeepCopyJSONValue(have)
		same, err := sameResults(have, want)
		if err != nil {
			t.Fatal(err)
		}
		if long := equal(have, whole); same != long {
			t.Fatalf("seed %d: same is %t, a comparison of all says %t\nstored %v\nwanted %v", seed, same, long, have, whole)
		}
		if diff := cmp.Diff(copied, have); diff != "" {
			t.Fatalf("seed %d: what is stored was changed:\n%s", seed, diff)
		}
		if same {
			unchanged++
		}
	}
	if unchanged < 300 || unchanged > 2700 {
		t.Errorf("%d of 3000 were the same: the cases are too much alike", unchanged)
	}
}

// plainResults are results as an API server stores them; nil for none.
func plainResults(t testing.TB, results []control.NamedStatusCombination) any {
	t.Helper()
	obj, err := toUnstructured(&control.CombinedStatus{Results: results})
	if err != nil {
		t.Fatal(err)
	}
	return obj.Object["results"]
}

func randomResults(r *rand.Rand) (out []control.NamedStatusCombination) {
	for i := range r.IntN(4) {
		one := control.NamedStatusCombination{Name: string(rune('a' + i)), ColumnNames: []string{"x", "y"}}
		for range r.IntN(6) {
			one.Rows = append(one.Rows, control.StatusCombinationRow{Columns: []control.Value{randomValue(r), randomValue(r)}})
		}
		if r.IntN(3) == 0 {
			one.RowErrors = []control.RowError{{WEC: control.WEC{ClusterID: "edge"}, ColumnName: "x", Error: "no such key"}}
		}
		out = append(out, one)
	}
	return out
}

func randomValue(r *rand.Rand) control.Value {
	texts := []string{"", "a", "1", "NaN"}
	switch text := texts[r.IntN(len(texts))]; r.IntN(6) {
	case 0:
		return control.Value{Type: control.TypeString, String: &text}
	case 1:
		return control.Value{Type: control.TypeNumber, Number: &text}
	case 2:
		is := r.IntN(2) == 0
		return control.Value{Type: control.TypeBool, Bool: &is}
	case 3:
		raws := []string{`null`, `{}`, `{"a":1}`, `{"a":1.0}`, `{"a":1.5,"b":[null,{"c":null}]}`, `"text"`, `3`}
		return control.Value{Type: control.TypeObject, Object: control.JSON{Raw: []byte(raws[r.IntN(len(raws))])}}
	case 4:
		raws := []string{`[]`, `[1,2]`, `[1,2.0]`, `[{"a":null}]`}
		return control.Value{Type: control.TypeArray, Array: control.JSON{Raw: []byte(raws[r.IntN(len(raws))])}}
	}
	return control.Value{Type: control.TypeNull}
}

// changedResults has a row or a result more or less, or another one.
func changedResults(r *rand.Rand, before []control.NamedStatusCombination) []control.NamedStatusCombination {
	now := slices.Clone(before)
	if len(now) == 0 {
		return randomResults(r)
	}
	i := r.IntN(len(now))
	rows := slices.Clone(now[i].Rows)
	switch at := r.IntN(len(rows) + 1); r.IntN(5) {
	case 0:
		rows = slices.Insert(rows, at, control.StatusCombinationRow{Columns: []control.Value{randomValue(r), randomValue(r)}})
	case 1:
		if at < len(rows) {
			rows = slices.Delete(rows, at, at+1)
		}
	case 2:
		if at < len(rows) {
			rows[at] = control.StatusCombinationRow{Columns: []control.Value{rows[at].Columns[0], randomValue(r)}}
		}
	case 3:
		return slices.Delete(now, i, i+1)
	case 4:
		now[i].Name += "x"
	}
	now[i].Rows = rows
	return now
}

// breakStored changes something as another client could.
func breakStored(r *rand.Rand, stored any) {
	results, _ := stored.([]any)
	if len(results) == 0 {
		return
	}
	result := results[r.IntN(len(results))].(m)
	rows, _ := result["rows"].([]any)
	switch at := r.IntN(len(rows) + 1); {
	case at == len(rows):
		result["more"] = []any{nil, "text"}[r.IntN(2)]
	case r.IntN(2) == 0:
		rows[at] = []any{nil, "text", m{}, m{"columns": []any{}}}[r.IntN(4)]
	default:
		row := rows[at].(m)
		row["more"] = []any{nil, "text"}[r.IntN(2)]
		row["columns"].([]any)[0].(m)["string"] = []any{nil, int64(1), "b"}[r.IntN(3)]
	}
}
