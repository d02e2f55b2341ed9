package fn

import (
	"cmp"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
)

// severityRank puts the worst severity first.
var severityRank = map[sdk.Severity]int{sdk.Error: 0, sdk.Warning: 1, sdk.Info: 2, "": 2}

// SeverityRank is lower for a worse severity.
func SeverityRank(s sdk.Severity) int {
	if rank, ok := severityRank[s]; ok {
		return rank
	}
	return len(severityRank)
}

// WorstFirst is results with the worst first, and those of one severity as FormatResult writes them.
func WorstFirst(results sdk.Results) sdk.Results {
	out := slices.Clone(results)
	slices.SortStableFunc(out, func(a, b *sdk.Result) int {
		return cmp.Or(cmp.Compare(SeverityRank(a.Severity), SeverityRank(b.Severity)), cmp.Compare(FormatResult(a), FormatResult(b)))
	})
	return out
}

// compareResults orders results by severity, object, file, field and message: the order of the items does not show.
func compareResults(a, b *sdk.Result) int {
	ra, rb := value(a.ResourceRef), value(b.ResourceRef)
	fa, fb := value(a.File), value(b.File)
	return cmp.Or(
		cmp.Compare(SeverityRank(a.Severity), SeverityRank(b.Severity)),
		cmp.Compare(ra.APIVersion, rb.APIVersion),
		cmp.Compare(ra.Kind, rb.Kind),
		cmp.Compare(ra.Namespace, rb.Namespace),
		cmp.Compare(ra.Name, rb.Name),
		cmp.Compare(fa.Path, fb.Path),
		cmp.Compare(fa.Index, fb.Index),
		compareByIndex(value(a.Field).Path, value(b.Field).Path),
		compareByIndex(a.Message, b.Message),
	)
}

// compareByIndex compares bytewise, except for numbers in brackets: item [2] of a list comes before item [10]. Messages
// often begin with such a place.
func compareByIndex(a, b string) int {
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	open := strings.LastIndexByte(a[:same], '[') + 1
	x, y := number(a[open:]), number(b[open:])
	if open == 0 || x == "" || y == "" || open+max(len(x), len(y)) <= same {
		return cmp.Compare(a, b)
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(a, b))
}

// number is the leading digits of s.
func number(s string) string { return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))] }

// value is the value of p, or the zero value.
func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
