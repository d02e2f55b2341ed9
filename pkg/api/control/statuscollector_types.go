package control

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// StatusCollector is a query over the reports of clusters about one object: one row per cluster, selected
// by a filter, then listed (select) or grouped and aggregated (groupBy, combinedFields). It is
// cluster-scoped. Expressions are CEL over obj, returned, inventory and propagation.
type StatusCollector struct {
	TypeMeta          `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   StatusCollectorSpec    `json:"spec"`
	Status *StatusCollectorStatus `json:"status,omitempty"`
}

// StatusCollectorSpec is the query. Its expressions are not checked here.
type StatusCollectorSpec struct {
	// Filter keeps the rows for which it is true. Absent: all.
	Filter *string `json:"filter,omitempty"`
	// GroupBy makes one result row of all rows with the same values. It needs CombinedFields.
	GroupBy []NamedExpression `json:"groupBy,omitempty"`
	// CombinedFields are the aggregates of each group.
	CombinedFields []CombinedField `json:"combinedFields,omitempty"`
	// Select lists these values of every row. It excludes GroupBy and CombinedFields.
	Select []NamedExpression `json:"select,omitempty"`
	// Limit is the expected number of result rows. It must be present. More rows are a warning; none is left
	// out.
	Limit *int64 `json:"limit"`
}

// NamedExpression is a column of results.
type NamedExpression struct {
	Name string `json:"name"`
	// Def is a CEL expression.
	Def string `json:"def"`
}

// CombinedField is a column of aggregates.
type CombinedField struct {
	Name string `json:"name"`
	// Type is one of the AggregatorTypes; another type is an error in every result.
	Type AggregatorType `json:"type"`
	// Subject is the CEL expression whose values are aggregated. Absent exactly for COUNT.
	Subject *string `json:"subject,omitempty"`
}

// AggregatorType is the function that aggregates the values of a group.
type AggregatorType string

// The ways to aggregate, case-sensitive.
const (
	// AggregatorCount counts rows with any values.
	AggregatorCount AggregatorType = "COUNT"
	AggregatorSum   AggregatorType = "SUM"
	// AggregatorAvg divides the sum of the numbers by the number of all rows.
	AggregatorAvg AggregatorType = "AVG"
	AggregatorMin AggregatorType = "MIN"
	AggregatorMax AggregatorType = "MAX"
)

// StatusCollectorStatus is the errors of the query. A controller owns it; functions of
// Waybill neither read nor write it.
type StatusCollectorStatus struct {
	ObservedGeneration int64    `json:"observedGeneration"`
	Errors             []string `json:"errors,omitempty"`
}
