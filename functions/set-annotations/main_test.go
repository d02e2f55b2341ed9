package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mutators/setannotations"
)

func TestGolden(t *testing.T) { fntest.Run(t, setannotations.Function, "testdata/*.txtar") }
