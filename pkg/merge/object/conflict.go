package object

import (
	"cmp"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/secret"
)

// Conflict is a place where both sides cannot have what they want: something that one of them did is
// lost. The four values are short YAML text on one line, nil where there is nothing: "null" is a null.
// Of a whole file, object or subpackage they are words instead: present, changed, added, and for what
// was chosen ours or theirs. Values of Secrets are not shown, only that they differ.
type Conflict struct {
	// Package is the folder of the subpackage, "." for the root.
	Package string `json:"package"`
	// File is the file, relative to the root; the folder of a subpackage that conflicts as a whole.
	File string `json:"file"`
	// Object is zero for what is no object.
	Object krm.ID `json:"object,omitzero"`
	// Field is the path with dots, items as [key=value] and odd names in brackets; "" for the whole.
	Field  string  `json:"field,omitempty"`
	Base   *string `json:"base,omitempty"`
	Theirs *string `json:"theirs,omitempty"`
	Ours   *string `json:"ours,omitempty"`
	// Chosen is what the result has. It is nil, too, when nothing was to be chosen (Fail).
	Chosen *string `json:"chosen,omitempty"`
	// Winner is whose value was chosen; "" when nothing was to be chosen.
	Winner Winner `json:"winner,omitempty"`
}

// Prefer is which side has its way in a conflict.
type Prefer string

// Who may be preferred.
const (
	Upstream Prefer = "upstream" // what kpt makes of it, which is theirs nearly always; the default
	Local    Prefer = "local"    // ours, at each place that conflicts; everything else merges
	Fail     Prefer = "fail"     // nobody: with a conflict, all of ours stays as it is
)

// Winner is the side that has its way in a conflict.
type Winner string

// Who may win.
const (
	UpstreamWon Winner = "upstream"
	LocalWon    Winner = "local"
	BothWon     Winner = "both" // parts of both were put together
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

// WholeConflict is about something that is not looked into: there in base or not, and what each side
// made of it.
func WholeConflict(base bool, theirsDid, oursDid string) Conflict {
	c := Conflict{Theirs: ValueOf(theirsDid), Ours: ValueOf(oursDid)}
	if base {
		c.Base = ValueOf(Present)
	}
	return c
}

// ValueOf is a value; "" is none.
func ValueOf(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// SideState is what became of something on one side: "" when it is not there.
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
