package fn

import (
	"cmp"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
)

// severityRank puts what matters most first.
var severityRank = map[sdk.Severity]int{sdk.Error: 0, sdk.Warning: 1, sdk.Info: 2, "": 2}

// sortResults orders results by severity, object, file, field and message, so that the order in
// which items came does not show.
func sortResults(rs sdk.Results) { slices.SortStableFunc(rs, compareResults) }

func compareResults(a, b *sdk.Result) int {
	ra, rb := value(a.ResourceRef), value(b.ResourceRef)
	fa, fb := value(a.File), value(b.File)
	return cmp.Or(
		cmp.Compare(severityRank[a.Severity], severityRank[b.Severity]),
		cmp.Compare(ra.APIVersion, rb.APIVersion),
		cmp.Compare(ra.Kind, rb.Kind),
		cmp.Compare(ra.Namespace, rb.Namespace),
		cmp.Compare(ra.Name, rb.Name),
		cmp.Compare(fa.Path, fb.Path),
		cmp.Compare(fa.Index, fb.Index),
		cmp.Compare(value(a.Field).Path, value(b.Field).Path),
		cmp.Compare(a.Message, b.Message),
	)
}

// value is what p points to, or the zero value.
func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
