package object

import (
	"path"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// String is one line: the subject, what each side has, and the winner.
func (c Conflict) String() string {
	return OneLine(c.subject() + ": " + c.sides() + " → " + c.outcome())
}

func (c Conflict) subject() string {
	if c.File == c.Package { // the folder of a subpackage
		return "package " + c.File
	}
	return Subject(c.File, c.Object, c.Field)
}

func (c Conflict) sides() string {
	if c.Field == "" {
		return "upstream " + c.sideText(c.Theirs) + ", local " + c.sideText(c.Ours)
	}
	return "base " + Show(c.Base) + ", upstream " + Show(c.Theirs) + ", local " + Show(c.Ours)
}

// sideText is what a side did to something as a whole.
func (c Conflict) sideText(side *string) string {
	switch {
	case side == nil && c.Base == nil:
		return "has none"
	case side == nil:
		return "deleted it"
	case *side == Present:
		return "kept it"
	}
	return *side + " it"
}

func (c Conflict) outcome() string {
	switch c.Winner {
	case UpstreamWon, LocalWon:
		return string(c.Winner) + "'s"
	case BothWon:
		return "both: " + Show(c.Chosen)
	}
	return "undecided"
}

// FindWinner sets the winner where the chosen value shows it.
func (c *Conflict) FindWinner() {
	is := func(side *string, name string) bool {
		return c.Chosen == side || c.Field == "" && c.Chosen != nil && *c.Chosen == name
	}
	switch {
	case c.Winner != "":
	case is(c.Theirs, ChosenTheirs):
		c.Winner = UpstreamWon
	case is(c.Ours, ChosenOurs):
		c.Winner = LocalWon
	}
}

// none stands for a value that is not there.
const none = "(none)"

// Show is the text of a value; nil is one that is missing.
func Show(value *string) string {
	if value == nil {
		return none
	}
	return *value
}

// Subject names a file, an object in it and a field of that. Of a Kptfile the file is enough.
func Subject(file string, id krm.ID, field string) string {
	if path.Base(file) != kptfile.Name && id.Kind+id.Name != "" {
		name := id.Name
		if id.Namespace != "" {
			name = id.Namespace + "/" + name
		}
		file += " " + strings.TrimSpace(id.Kind+" "+name)
	}
	if field != "" {
		file += " " + field
	}
	return file
}

// OneLine escapes what does not print: names of objects and fields may be anything.
func OneLine(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}
