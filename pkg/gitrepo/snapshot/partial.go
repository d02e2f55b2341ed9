package snapshot

import (
	"errors"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// PartialError says that the content of a file that was committed is not in the repository.
type PartialError struct{ File string } // "" where git does not say which

func (e *PartialError) Error() string {
	what := "some files are"
	if e.File != "" {
		what = fmt.Sprintf("file %q is", e.File)
	}
	return what + " not in this clone, which is a partial one, and nothing is fetched here; get all of it with: " +
		"git fetch --refetch --no-filter"
}

// orPartial is err, or a *PartialError if that is what git means.
func orPartial(err error) error {
	var failed *gitcmd.ExitError
	if errors.As(err, &failed) && (strings.Contains(failed.Output, "promisor remote") ||
		strings.Contains(failed.Output, "lazy fetching disabled")) {
		return &PartialError{}
	}
	return err
}
