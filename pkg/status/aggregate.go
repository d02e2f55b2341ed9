package status

import (
	"fmt"
	"math"
	"strconv"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// aggregate is the aggregate of one field in one group.
type aggregate struct {
	rows          int
	sum, min, max float64
	// skipped says why a value was skipped; the first one counts.
	skipped string
}

func newAggregate() aggregate { return aggregate{min: math.Inf(1), max: math.Inf(-1)} }

// add adds the number of a row. Rows come in the order of their clusters, as the order makes a difference to sums.
func (a *aggregate) add(cluster string, n number) {
	a.rows++
	if n.skipped != "" {
		if a.skipped == "" {
			a.skipped = fmt.Sprintf("for WEC %s, %s", cluster, n.skipped)
		}
		return
	}
	a.sum += n.value
	if n.value < a.min { // never true of NaN
		a.min = n.value
	}
	if n.value > a.max {
		a.max = n.value
	}
}

// result returns the aggregate of a kind, and what is wrong with it.
func (a *aggregate) result(kind control.AggregatorType) (control.Value, string) {
	switch kind {
	case control.AggregatorCount:
		return numberValue(strconv.Itoa(a.rows)), ""
	case control.AggregatorSum:
		return numberValue(numberText(a.sum)), a.skipped
	case control.AggregatorMin:
		return numberValue(numberText(a.min)), a.skipped
	case control.AggregatorMax:
		return numberValue(numberText(a.max)), a.skipped
	case control.AggregatorAvg:
		return a.average()
	}
	return control.Value{Type: control.TypeNull}, "unsupported aggregation type " + string(kind)
}

func (a *aggregate) average() (control.Value, string) {
	if a.rows == 0 {
		return numberValue(numberText(math.NaN())), "no values to average"
	}
	return numberValue(numberText(a.sum / float64(a.rows))), a.skipped
}
