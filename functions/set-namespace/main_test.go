package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mutators/setnamespace"
)

func TestGolden(t *testing.T) { fntest.Run(t, setnamespace.Function, "testdata/*.txtar") }
