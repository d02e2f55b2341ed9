package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/bundling"
	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
)

// TestGolden also holds every work that any case makes, in whatever order and how often it is run,
// against the rules of OCM.
func TestGolden(t *testing.T) {
	fntest.Run(t, ocmcheck.Watch(t, bundling.Function), "testdata/*.txtar")
}
