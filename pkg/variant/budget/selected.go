package budget

import (
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// longestReason is as many characters of a reason as a commit records.
const longestReason = 200

// selected are the places in pending of the changes that add to b, and of those that are exempt.
// While its selector cannot be understood, or all is said, a budget is for all of its namespace.
func selected(b *waybill.ChangeBudget, pending []Pending, all bool) (adds, exempt []int) {
	s, err := b.Selector()
	for i := range pending {
		p := &pending[i]
		switch {
		case p.Namespace != b.Namespace || p.Change.IsZero() || !all && err == nil && !s.Matches(labels.Set(p.Labels)):
		case p.reason() != "":
			exempt = append(exempt, i)
		default:
			adds = append(adds, i)
		}
	}
	return adds, exempt
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
	if letters := []rune(text); len(letters) > longestReason {
		return string(letters[:longestReason]) + "…"
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
