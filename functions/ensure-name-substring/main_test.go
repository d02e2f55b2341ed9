package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mutators/namesubstring"
)

func TestGolden(t *testing.T) { fntest.Run(t, namesubstring.Function, "testdata/*.txtar") }
