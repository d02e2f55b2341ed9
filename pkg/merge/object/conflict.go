package object

import (
	"cmp"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/secret"
)

// Conflict is a place where the sides disagree: a change of one of them is lost. The four values are short YAML
// on one line, nil where there is nothing; "null" is a null. For a whole file, object or subpackage they are
// words: present, changed, added, and for what was chosen ours or theirs. Values of Secrets are not shown, only
// that they differ.
type Conflict struct {
	// Package is the folder of the subpackage, "." for the root.
	Package string `json:"package"`
	// File is the file, relative to the root; the folder of a subpackage that conflicts as a whole.
	File string `json:"file"`
	// Object is zero if there is no object.
	Object krm.ID `json:"object,omitzero"`
	// Field is the path with dots, items as [key=value] and odd names in brackets; "" for the whole.
	Field  string  `json:"field,omitempty"`
	Base   *string `json:"base,omitempty"`
	Theirs *string `json:"theirs,omitempty"`
	Ours   *string `json:"ours,omitempty"`
	// Chosen is the value in the result. It is also nil when nothing was chosen (Fail).
	Chosen *string `json:"chosen,omitempty"`
	// Winner is whose value was chosen; "" when nothing was to be chosen.
	Winner Winner `json:"winner,omitempty"`
}

// Prefer is the side that wins a conflict.
type Prefer string

// The sides, and none.
const (
	Upstream Prefer = "upstream" // what kpt chooses, nearly always theirs; the default
	Local    Prefer = "local"    // ours, at each place that conflicts; everything else merges
	Fail     Prefer = "fail"     // none: with a conflict, all of ours stays as it is
)

// Winner is the side that won a conflict.
type Winner string

// The possible winners.
const (
	UpstreamWon Winner = "upstream"
	LocalWon    Winner = "local"
	BothWon     Winner = "both" // parts of both
)

// Words for values that are not shown.
const (
	Present      = "present"
	Changed      = "changed"
	Added        = "added"
	ChosenOurs   = "ours"
	ChosenTheirs = "theirs"
	Hidden       = secret.Hidden
)

// SortConflicts sorts by package, file, object and field.
func SortConflicts(cs []Conflict) {
	slices.SortStableFunc(cs, func(a, b Conflict) int {
		return cmp.Or(
			cmp.Compare(a.Package, b.Package), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Object.String(), b.Object.String()), cmp.Compare(a.Field, b.Field))
	})
}

// WholeConflict is a conflict about something as a whole: whether base has it, and what each side did to it.
func WholeConflict(base bool, theirsDid, oursDid string) Conflict {
	c := Conflict{Theirs: ValueOf(theirsDid), Ours: ValueOf(oursDid)}
	if base {
		c.Base = ValueOf(Present)
	}
	return c
}

// ValueOf is a pointer to a value, nil for "".
func ValueOf(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// SideState is what one side did to something: "" when it does not have it.
func SideState(base, side, same bool) string {
	switch {
	case !side:
		return ""
	case !base:
		return Added
	case same:
		return Present
	}
	return Changed
}
