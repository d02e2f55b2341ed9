package setlabels_test

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mutators/setlabels"
)

// TestV01 runs the golden cases of v0.1; those of the current version are in functions/set-labels.
func TestV01(t *testing.T) { fntest.Run(t, setlabels.V01, "testdata/*.txtar") }
