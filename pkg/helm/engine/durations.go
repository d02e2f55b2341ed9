package engine

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// durations are Helm's functions for lengths of time. They take a time.Duration, a text such as 1h30m, or seconds.
func durations() map[string]*function {
	all := map[string]*function{
		"mustToDuration":     simple(toDuration),
		"durationRoundTo":    simple(roundTo(time.Duration.Round)),
		"durationTruncateTo": simple(roundTo(time.Duration.Truncate)),
		"durationSeconds":    simple(inUnits(time.Duration.Seconds)),
		"durationMinutes":    simple(inUnits(time.Duration.Minutes)),
		"durationHours":      simple(inUnits(time.Duration.Hours)),
		"durationDays":       simple(inUnits(func(d time.Duration) float64 { return d.Hours() / 24 })),
		"durationWeeks":      simple(inUnits(func(d time.Duration) float64 { return d.Hours() / 24 / 7 })),
	}
	for unit, count := range map[string]func(time.Duration) int64{
		"Milliseconds": time.Duration.Milliseconds, "Microseconds": time.Duration.Microseconds, "Nanoseconds": time.Duration.Nanoseconds,
	} {
		all["duration"+unit] = simple(inUnits(count))
	}
	return all
}

// inUnits is a duration as a number, 0 for what is none.
func inUnits[N int64 | float64](count func(time.Duration) N) func(any) N {
	return func(v any) N {
		d, err := toDuration(v)
		if err != nil {
			return 0
		}
		return count(d)
	}
}

// roundTo rounds a duration to a multiple of another.
func roundTo(round func(d, multiple time.Duration) time.Duration) func(v, multiple any) time.Duration {
	return func(v, multiple any) time.Duration {
		d, err := toDuration(v)
		if err != nil {
			return 0
		}
		m, err := toDuration(multiple)
		if err != nil {
			return d
		}
		return round(d, m)
	}
}

var errDuration = errors.New("want a duration, such as 1h30m, or a number of seconds")

func toDuration(v any) (time.Duration, error) {
	switch v := v.(type) {
	case nil:
		return 0, errDuration
	case time.Duration:
		return v, nil
	case string:
		return textDuration(strings.TrimSpace(v))
	}
	switch v := reflect.ValueOf(v); {
	case v.CanInt():
		return wholeSeconds(v.Int())
	case v.CanUint():
		return wholeSeconds(int64(min(v.Uint(), math.MaxInt64)))
	case v.CanFloat():
		return seconds(v.Float())
	}
	return 0, fmt.Errorf("%w; a %T is none", errDuration, v)
}

func textDuration(text string) (time.Duration, error) {
	if d, err := time.ParseDuration(text); err == nil {
		return d, nil
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, errDuration
	}
	return seconds(number)
}

var errLong = errors.New("a duration of more than 292 years")

func wholeSeconds(n int64) (time.Duration, error) {
	const most = int64(math.MaxInt64 / time.Second)
	if n > most || n < -most {
		return 0, errLong
	}
	return time.Duration(n) * time.Second, nil
}

func seconds(n float64) (time.Duration, error) {
	const most = float64(math.MaxInt64 / time.Second)
	if !(n <= most && n >= -most) {
		return 0, errLong
	}
	return time.Duration(n * float64(time.Second)), nil
}
