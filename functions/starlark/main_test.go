package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mutators/starlark"
)

func TestGolden(t *testing.T) { fntest.Run(t, starlark.Function, "testdata/*.txtar") }
