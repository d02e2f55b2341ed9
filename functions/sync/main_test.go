package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/syncing"
)

func TestGolden(t *testing.T) { fntest.Run(t, syncing.Function, "testdata/*.txtar") }
