package writeback

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// MergeErrors returns what the errors in the status of a policy should be, given those that exist and the text of its
// PolicyError, "" for none. The PolicyError is first, as in KubeStellar; errors of other clients stay, in their order. One
// with the same examples in another order, which is not defined, stays where it is. Merging again changes nothing.
func MergeErrors(have []string, text string) []string {
	if IsPolicyError(text) && slices.ContainsFunc(have, func(e string) bool { return sameExamples(e, text) }) &&
		len(others(have))+1 == len(have) {
		return have
	}
	merged := others(have)
	if text != "" {
		merged = slices.Insert(merged, 0, text)
	}
	return merged
}

// IsPolicyError reports whether an error in the status of a policy is a PolicyError, of this or another client.
func IsPolicyError(text string) bool { return strings.HasPrefix(text, control.SingletonErrorStart) }

// others are the errors that are no PolicyErrors.
func others(errs []string) []string { return slices.DeleteFunc(slices.Clone(errs), IsPolicyError) }

// sameExamples reports whether two PolicyErrors differ only in the order of their examples.
func sameExamples(a, b string) bool {
	return a == b || IsPolicyError(a) && IsPolicyError(b) && slices.Equal(examplesOf(a), examplesOf(b))
}

// examplesOf are the examples of a PolicyError, sorted, or the whole text.
func examplesOf(text string) []string {
	var list []json.RawMessage
	if json.Unmarshal([]byte(strings.TrimPrefix(text, control.SingletonErrorStart)), &list) != nil {
		return []string{text}
	}
	out := make([]string, len(list))
	for i := range list {
		out[i] = string(list[i])
	}
	slices.Sort(out)
	return out
}
