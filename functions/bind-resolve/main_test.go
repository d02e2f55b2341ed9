package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
)

func TestGolden(t *testing.T) { fntest.Run(t, binding.Function, "testdata/*.txtar") }
