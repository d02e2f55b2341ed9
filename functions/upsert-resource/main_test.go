package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mutators/upsert"
)

func TestGolden(t *testing.T) { fntest.Run(t, upsert.Function, "testdata/*.txtar") }
