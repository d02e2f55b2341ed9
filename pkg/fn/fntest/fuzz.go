package fntest

import (
	"context"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// FuzzLimits keep one try of a fuzz target short.
var FuzzLimits = krm.Limits{Bytes: 1 << 14, Documents: 100, Depth: 50, Nodes: 10_000, Aliased: 10_000}

// Fuzz runs function on any readable input, beginning with the golden cases that glob matches: the laws hold, nothing
// panics, and check passes on the output. Comments may be lost, as the value that carries one may be replaced.
func Fuzz(f *testing.F, function *fn.Function, glob string, check func(t *testing.T, in *fn.Input, out *fn.Output)) {
	f.Helper()
	for _, sections := range Cases(f, glob) {
		f.Add(sections["config.yaml"], sections["in.yaml"])
	}
	f.Fuzz(func(t *testing.T, config, data []byte) {
		items, err := krm.Read("in.yaml", data, FuzzLimits)
		if err != nil {
			return // refused before any function sees it
		}
		in, lost := &fn.Input{Items: items, Config: fuzzConfig(config)}, []string(nil)
		for i, o := range items {
			o.SetPath(o.File(), i)
			lost = append(lost, o.Comments()...)
		}
		CheckLaws(t, function, in, lost)
		out := function.Apply(context.Background(), in)
		CheckUnbroken(t, out)
		check(t, in, out)
	})
}

// fuzzConfig is the one object in data, or none: {} is no config to the protocol.
func fuzzConfig(data []byte) *krm.Object {
	objs, err := krm.Read("config.yaml", data, FuzzLimits)
	if err != nil || len(objs) != 1 || len(objs[0].Node().Content) == 0 {
		return nil
	}
	return objs[0]
}

// CheckUnbroken fails on a result that reports a panic.
func CheckUnbroken(t testing.TB, out *fn.Output) {
	t.Helper()
	for _, r := range out.Results {
		if strings.Contains(r.Message, "broke on this input") {
			t.Error(fn.FormatResult(r))
		}
	}
}
