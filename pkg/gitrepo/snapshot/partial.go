package snapshot

import (
	"errors"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// PartialError is the error for a committed file whose content is missing from the repository.
type PartialError struct{ File string } // "" if git does not name it

func (e *PartialError) Error() string {
	what := "some files are"
	if e.File != "" {
		what = fmt.Sprintf("file %q is", e.File)
	}
	return what + " not in this clone, which is a partial one, and nothing is fetched here; get all of it with: " +
		"git fetch --refetch --no-filter"
}

// orPartial returns err, or a *PartialError if git reports one.
func orPartial(err error) error {
	var failed *gitcmd.ExitError
	if errors.As(err, &failed) && (strings.Contains(failed.Output, "promisor remote") ||
		strings.Contains(failed.Output, "lazy fetching disabled")) {
		return &PartialError{}
	}
	return err
}
