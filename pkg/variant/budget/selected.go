package budget

import (
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// maxReason is how many characters of a reason a commit records.
const maxReason = 200

// selected returns the changes that count for b, and those that are exempt.
// If its selector is not valid, or all is set, a budget applies to all of its namespace.
func selected(b *waybill.ChangeBudget, changes []*change, all bool) (counted, exempt []*change) {
	s, err := b.Selector()
	for _, c := range changes {
		switch {
		case c.Namespace != b.Namespace || c.Change.IsZero() || !all && err == nil && !s.Matches(labels.Set(c.Labels)):
		case c.reason() != "":
			exempt = append(exempt, c)
		default:
			counted = append(counted, c)
		}
	}
	return counted, exempt
}

// reason is why p may exceed budgets, as one line of plain text, which cannot be taken for another
// line of a commit message; "" when it may not.
func (p *Pending) reason() string {
	text, _, err := waybill.ExceedReason(p.Annotations)
	if err != nil {
		return ""
	}
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	text = strings.Join(strings.Fields(text), " ")
	if letters := []rune(text); len(letters) > maxReason {
		return string(letters[:maxReason]) + "…"
	}
	return text
}

// hint is what is wrong with an annotation that would let p through.
func (p *Pending) hint() string {
	if _, _, err := waybill.ExceedReason(p.Annotations); err != nil {
		return "; " + err.Error()
	}
	return ""
}
