package searchreplace

import (
	"errors"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// group is the place of what a group of the regular expression captured: ${1}.
var group = lazyregexp.New(`\$\{([0-9]+)\}`)

// expand fills in what the regular expression captures in value. Without one, text is text.
func (c *change) expand(text, value string) (string, error) {
	if c.value == nil || text == "" {
		return text, nil
	}
	captured := c.value.FindStringSubmatch(value)
	var pieces []string
	end := 0
	for _, at := range group.FindAllStringSubmatchIndex(text, -1) {
		n, err := strconv.Atoi(text[at[2]:at[3]])
		if err != nil || n == 0 || n >= len(captured) {
			return "", errors.New("unable to resolve capture groups: by-value-regex has no group " + text[at[0]:at[1]])
		}
		pieces = append(pieces, text[end:at[0]], captured[n])
		end = at[1]
	}
	pieces = append(pieces, text[end:])
	if err := c.budget.Fits(pieces...); err != nil {
		return "", err
	}
	return strings.Join(pieces, ""), nil
}
