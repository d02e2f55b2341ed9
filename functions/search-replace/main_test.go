package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mutators/searchreplace"
)

func TestGolden(t *testing.T) { fntest.Run(t, searchreplace.Function, "testdata/*.txtar") }
