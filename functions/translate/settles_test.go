package main

import (
	"context"
	"slices"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/translation"
)

const cases = "testdata/*.txtar"

// TestSettles holds every case to the law that a second run changes nothing and says the same, but for what is
// said once. A case that says such a thing is excused from that law elsewhere.
func TestSettles(t *testing.T) {
	for _, c := range fntest.Cases(t, cases) {
		in := &fn.Input{Items: fntest.Parse(t, "in.yaml", c["in.yaml"])}
		filed := map[string]int{}
		for _, o := range in.Items {
			o.SetPath(o.File(), filed[o.File()])
			filed[o.File()]++
		}
		if config := c["config.yaml"]; config != nil {
			in.Config = fntest.Parse(t, "config.yaml", config)[0]
		}
		fntest.CheckLaws(t, settled(), in, linesOf(c["lost.txt"]))
	}
}

func linesOf(text []byte) []string {
	if text == nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// settled is the function without what it says once.
func settled() *fn.Function {
	f := *translation.Function
	f.Run = func(ctx context.Context, in *fn.Input) (*fn.Output, error) {
		out, err := translation.Run(ctx, in)
		if out != nil {
			out.Results = slices.DeleteFunc(out.Results, isToldOnce)
		}
		return out, err
	}
	return &f
}

// isToldOnce reports whether a result tells of something that happens once: what was adopted, or let go
// of, is that ever after. It takes from summaries what a run made, changed and took away; one without inputs and
// Translations is of nothing else.
func isToldOnce(r *sdk.Result) bool {
	if r.Severity != sdk.Info {
		return false
	}
	if said, _, found := strings.Cut(r.Message, " ("); found && r.ResourceRef == nil {
		r.Message = said
	}
	return strings.HasSuffix(r.Message, " is adopted") || strings.Contains(r.Message, " is released, ") ||
		strings.HasPrefix(r.Message, "translate: 0 inputs of kind ") && strings.HasSuffix(r.Message, ", 0 Translations") || r.Message == "translate: global, 0 Translations"
}
