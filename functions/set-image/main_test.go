package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mutators/setimage"
)

func TestGolden(t *testing.T) { fntest.Run(t, setimage.Function, "testdata/*.txtar") }
