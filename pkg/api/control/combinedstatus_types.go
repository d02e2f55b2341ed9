package control

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ReportNamespace is the namespace of the CombinedStatuses of cluster-scoped objects.
const ReportNamespace = "kubestellar-report"

// CombinedStatus holds the results of StatusCollectors for one object and one BindingPolicy. It is in the object's namespace and has
// neither spec nor status.
type CombinedStatus struct {
	TypeMeta          `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	// Results has one entry for each collector that exists and is valid, by name of the collector.
	Results []NamedStatusCombination `json:"results,omitempty"`
}

// NamedStatusCombination is the result of one StatusCollector.
type NamedStatusCombination struct {
	// Name is the collector's.
	Name string `json:"name"`
	// ColumnNames has the names of the selected columns, or of those grouped by and then those
	// aggregated, in the order of the collector. It is present even when empty.
	ColumnNames []string `json:"columnNames"`
	// Rows are the result, as long and in the same order as ColumnNames each.
	Rows []StatusCombinationRow `json:"rows,omitempty"`
	// RowErrors has for each column one of the clusters without a value.
	RowErrors []RowError `json:"rowErrors,omitempty"`
	// AggregationErrors has the errors of aggregates, by row and column.
	AggregationErrors []AggregationError `json:"aggregationErrors,omitempty"`
}

// StatusCombinationRow is one row of a result.
type StatusCombinationRow struct {
	Columns []Value `json:"columns"`
}

// RowError is the reason why the row of a cluster is missing.
type RowError struct {
	WEC WEC `json:"wec"`
	// ColumnName is "" for the filter.
	ColumnName string `json:"columnName"`
	Error      string `json:"error"`
}

// WEC names a cluster that executes workload.
type WEC struct {
	ClusterID string `json:"clusterId"`
}

// AggregationError is the error of an aggregate.
type AggregationError struct {
	ColumnName string `json:"columnName"`
	Error      string `json:"error"`
}

// ValueType is the type of a Value, which has one field for each.
type ValueType string

// The types of a Value.
const (
	TypeString ValueType = "String"
	TypeNumber ValueType = "Number"
	TypeBool   ValueType = "Bool"
	TypeNull   ValueType = "Null"
	TypeObject ValueType = "Object"
	TypeArray  ValueType = "Array"
)

// Value is a value in a result. The field of its type is present; for Null none is.
type Value struct {
	Type   ValueType `json:"type"`
	String *string   `json:"string,omitempty"`
	// Number is the text of a number, which may be infinite or none: "2", "1e+06", "+Inf", "NaN".
	Number *string `json:"float,omitempty"`
	Bool   *bool   `json:"bool,omitempty"`
	// Object is a value of any other type, not only a map: null is one, too.
	Object JSON `json:"object,omitzero"`
	Array  JSON `json:"array,omitzero"`
}

// JSON is a JSON text, without insignificant space and with keys in order when Waybill made it. The
// zero JSON is absent, which null is not.
type JSON struct{ Raw json.RawMessage }

// IsZero reports whether j is absent.
func (j JSON) IsZero() bool { return len(j.Raw) == 0 }

// MarshalJSON implements json.Marshaler.
func (j JSON) MarshalJSON() ([]byte, error) { return j.Raw.MarshalJSON() }

// UnmarshalJSON implements json.Unmarshaler.
func (j *JSON) UnmarshalJSON(data []byte) error { return j.Raw.UnmarshalJSON(data) }

// Equal reports whether both are the same text.
func (j JSON) Equal(other JSON) bool { return string(j.Raw) == string(other.Raw) }
