package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mutators/setters"
)

func TestGolden(t *testing.T) { fntest.Run(t, setters.Function, "testdata/*.txtar") }
