package correspond

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Limit bounds a count, absolutely or as a part of a whole. The zero Limit is none.
type Limit struct {
	set     bool
	most    int
	percent bool
}

// AtMost is an absolute limit.
func AtMost(n int) Limit { return Limit{set: true, most: n} }

// ParseLimit reads "", which is no limit, "10", or "25%" of the outputs that the controller has.
func ParseLimit(s string) (Limit, error) {
	if s == "" {
		return Limit{}, nil
	}
	number, percent := strings.CutSuffix(s, "%")
	n, err := strconv.ParseUint(number, 10, 31)
	if err != nil || percent && n > 100 {
		return Limit{}, errors.New("want a whole number from 0, or a percentage up to 100%")
	}
	return Limit{set: true, most: int(n), percent: percent}, nil
}

// Allows reports whether n of total are within the limit.
func (l Limit) Allows(n, total int) bool {
	switch {
	case !l.set:
		return true
	case l.percent:
		return n*100 <= l.most*total
	}
	return n <= l.most
}

func (l Limit) String() string {
	switch {
	case !l.set:
		return ""
	case l.percent:
		return fmt.Sprintf("%d%%", l.most)
	}
	return strconv.Itoa(l.most)
}
