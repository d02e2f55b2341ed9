package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mutators/setlabels"
)

func TestGolden(t *testing.T) { fntest.Run(t, setlabels.Function, "testdata/*.txtar") }
