package chart

import "fmt"

// ValuesError is a value that a chart cannot take. It does not say the value.
type ValuesError struct {
	Chart  string // the path of the chart in the release
	Path   string // of the value
	Reason string
}

func (e *ValuesError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("chart %s: values: %s", e.Chart, e.Reason)
	}
	return fmt.Sprintf("chart %s: values: %s: %s", e.Chart, e.Path, e.Reason)
}
