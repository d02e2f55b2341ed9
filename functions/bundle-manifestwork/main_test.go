package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/bundling"
	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
)

func TestGolden(t *testing.T) { fntest.Run(t, bundling.Function, "testdata/*.txtar") }

// TestHubTakesEveryWork holds the works of every golden case against the rules of OCM.
func TestHubTakesEveryWork(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	works := 0
	for _, file := range cases {
		out := bundling.Function.Apply(context.Background(), readCase(t, file))
		if out.Failed() {
			continue // the old works stay, and are another case's to check
		}
		found := ocmcheck.Works(out.Items)
		works += len(found)
		if faults := ocmcheck.Violations(found, ocmcheck.DefaultManifestLimit); len(faults) > 0 {
			t.Errorf("%s:\n%s", file, strings.Join(faults, "\n"))
		}
	}
	if works == 0 {
		t.Error("no case makes a work: nothing was checked")
	}
}

func readCase(t *testing.T, file string) *fn.Input {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in := &fn.Input{}
	for _, f := range ar.Files {
		switch f.Name {
		case "in.yaml":
			in.Items = fntest.Parse(t, f.Name, f.Data)
		case "config.yaml":
			in.Config = fntest.Parse(t, f.Name, f.Data)[0]
		}
	}
	return in
}
