package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/translation"
)

func TestGolden(t *testing.T) { fntest.Run(t, translation.Function, "testdata/*.txtar") }
