package hooks

import (
	"strconv"
	"strings"
	"time"
)

// longestRetry is the longest time that a server may request: the controller calls every webhook again.
const longestRetry = 24 * time.Hour

// retryAfter parses a Retry-After header: a number of seconds, or a date, rounded up to a second. Other texts and dates in
// the past are 0.
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if text != "" && strings.Trim(text, "0123456789") == "" {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil { // many digits
			return longestRetry
		}
		return min(time.Duration(n)*time.Second, longestRetry)
	}
	at, err := time.ParseInLocation(time.RFC1123, text, time.UTC)
	if err != nil {
		return 0
	}
	wait := min(at.Sub(now), longestRetry)
	if part := wait % time.Second; part > 0 {
		wait += time.Second - part
	}
	return max(wait, 0)
}
