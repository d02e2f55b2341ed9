package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

func TestGolden(t *testing.T) { fntest.Run(t, combine.Function, "testdata/*.txtar") }
