package fn

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/render"
)

// reportResults writes results.yaml to dir, if there is one, and says so.
func reportResults(talk io.Writer, dir string, steps []render.Step, failure error) error {
	if dir == "" {
		return nil
	}
	if err := writeResults(dir, steps, failure); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	fmt.Fprintf(talk, "\nFor complete results, see %s\n", cli.SafeText(filepath.Join(dir, "results.yaml")))
	return nil
}

// writeResults writes results.yaml in kpt's form. A failure of any kind makes its exit code 1, be
// it of a function, of what it printed, or of writing the package.
func writeResults(dir string, steps []render.Step, failure error) error {
	data, err := render.ResultsFile(steps, failure != nil)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { // #nosec G301 -- results are for everyone to read
		return err
	}
	return os.WriteFile(filepath.Join(dir, "results.yaml"), data, 0o644) // #nosec G306 -- as above
}
