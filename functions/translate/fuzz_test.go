package main

import (
	"strings"
	"testing"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

// FuzzTranslate gives the function whatever can be read: what is new is a valid Translation in its place,
// no two of what is new hold one resource, and nothing but Translations changes.
func FuzzTranslate(f *testing.F) {
	fntest.Fuzz(f, settled(), cases, checkOutput)
}

func checkOutput(t *testing.T, in *fn.Input, out *fn.Output) {
	t.Helper()
	given, left, held := map[*krm.Object]bool{}, map[krm.Origin]bool{}, map[string]string{}
	was := map[krm.Origin]bool{}
	for _, o := range in.Items {
		given[o], was[o.Origin()] = true, true
	}
	for _, o := range out.Items {
		left[o.Origin()] = true
		if given[o] || was[o.Origin()] {
			continue
		}
		tr, errs := api.DecodeTranslation(o)
		if len(errs) > 0 || !strings.HasPrefix(o.File(), "translations/") || len(tr.Finalizers) != 1 {
			t.Fatalf("%s is no Translation in its place: %v", o.Describe(), errs.ToAggregate())
		}
		for _, r := range tr.Resources {
			id := midonet.Identity(r)
			if other := held[id]; other != "" {
				t.Errorf("%s and %s both hold %s", other, tr.Name, id)
			}
			held[id] = tr.Name
		}
	}
	for _, o := range in.Items {
		if !left[o.Origin()] && !o.Is(api.Group, api.KindTranslation) && o.Annotation("waybill.dev/controller") == "" {
			t.Errorf("%s went", o.Describe())
		}
	}
}
