package fetch

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/helm/chart"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// check loads an archive, and refuses one that is no chart of that name and version.
func (a *Archive) check(name string) error {
	c, err := Load(a.Data)
	switch {
	case err != nil:
		return err
	case c.Name() != name:
		return fmt.Errorf("the archive holds the chart %q", safetext.SingleLine(c.Name(), 60))
	case c.Version() != a.Version:
		return fmt.Errorf("the archive holds version %q, and the repository calls it %q", safetext.SingleLine(c.Version(), 60),
			safetext.SingleLine(a.Version, 60))
	}
	return nil
}

// Load reads a chart from an archive, as the function does that renders it.
func Load(archive []byte) (*chart.Chart, error) {
	files, err := chart.Archive(archive)
	if err != nil {
		return nil, fmt.Errorf("it is no chart archive: %w", err)
	}
	return chart.Load(files)
}
