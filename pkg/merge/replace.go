package merge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// ModifiedError says what stands in the way of fast-forward.
type ModifiedError struct{ Paths []string }

func (e *ModifiedError) Error() string {
	return fmt.Sprintf("local package files have been modified: [%s]. use a different update --strategy.", strings.Join(e.Paths, " "))
}

func sorted(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}

// replaced is a file under the strategies that take theirs as it is. What was made of it here is lost,
// unless ours is preferred.
func replaced(j *job, prefer Prefer) (*pkgtree.Blob, []Conflict) {
	out := j.theirs
	if out == nil && j.base == nil && j.strategy == CopyMerge {
		out = j.ours
	}
	if sameContent(j.file, j.ours, j.base) || sameContent(j.file, j.ours, out) {
		return out, nil
	}
	if prefer != Upstream {
		out = j.ours
	}
	return out, fileConflict(j.versions, prefer, out)
}
