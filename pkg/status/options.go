package status

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/status/expression"
)

// Options say how Programs are evaluated. The zero Options are KubeStellar's way.
type Options struct {
	// NullAsNull makes Null and Array of what is null and a list, where KubeStellar makes an Object of
	// both, of null the Object 0.
	NullAsNull bool
	// MaxCost is what one evaluation of one expression may cost. Default and maximum: DefaultMaxCost; all
	// expressions for one cluster may cost MaxRowCost.
	MaxCost int
}

// DefaultMaxCost is some two milliseconds' worth of evaluation. A loop costs the number of its turns
// times the number of parts its body has.
const DefaultMaxCost = expression.MaxCost

// Warning is what is odd about a result and yet no error.
type Warning struct {
	// Collector is the name of the StatusCollector.
	Collector string
	// Cluster is the first of the clusters concerned, "" when it is about none.
	Cluster string
	Text    string
	// Mild says that nothing need be wrong.
	Mild bool
}

// String is for people, in one line.
func (w Warning) String() string {
	if w.Cluster == "" {
		return fmt.Sprintf("StatusCollector %q: %s", w.Collector, w.Text)
	}
	return fmt.Sprintf("StatusCollector %q, cluster %q: %s", w.Collector, w.Cluster, w.Text)
}
