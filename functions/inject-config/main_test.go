package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/injection"
)

func TestGolden(t *testing.T) { fntest.Run(t, injection.Function, "testdata/*.txtar") }
