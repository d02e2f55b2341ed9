package status

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/status/expression"
)

// Options say how Programs are evaluated. The zero Options do as KubeStellar does.
type Options struct {
	// NullAsNull writes null as Null and a list as Array, where KubeStellar writes an Object (the Object 0 for null).
	NullAsNull bool
	// MaxCost is what one evaluation of one expression may cost. Default and maximum: DefaultMaxCost. All expressions for one
	// cluster together may cost MaxRowCost.
	MaxCost int
}

// DefaultMaxCost is about two milliseconds of evaluation. A loop costs its number of turns times the number of parts of its
// body.
const DefaultMaxCost = expression.MaxCost

// Warning is about a result that is unusual and not wrong.
type Warning struct {
	// Collector is the name of the StatusCollector.
	Collector string
	// Cluster is the first of the clusters concerned, "" when it is about none.
	Cluster string
	Text    string
	// Mild says that there may be nothing to change.
	Mild bool
}

// String is one line for messages.
func (w Warning) String() string {
	if w.Cluster == "" {
		return fmt.Sprintf("StatusCollector %q: %s", w.Collector, w.Text)
	}
	return fmt.Sprintf("StatusCollector %q, cluster %q: %s", w.Collector, w.Cluster, w.Text)
}
