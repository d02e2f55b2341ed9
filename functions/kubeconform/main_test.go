package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mutators/schema"
)

func TestGolden(t *testing.T) { fntest.Run(t, schema.Function, "testdata/*.txtar") }
