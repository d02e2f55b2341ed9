package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mutators/replacements"
)

func TestGolden(t *testing.T) { fntest.Run(t, replacements.Function, "testdata/*.txtar") }
