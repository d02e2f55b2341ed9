package setnamespace_test

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/mutators/setnamespace"
)

// TestV03 runs the golden cases of v0.3; those of the current version are in functions/set-namespace.
func TestV03(t *testing.T) { fntest.Run(t, setnamespace.V03, "testdata/*.txtar") }
