package engine

import (
	"time"

	"github.com/waybill-dev/waybill/pkg/template"
)

// clocks are sprig's functions for dates. They read Now of the Options in place of a clock, and know no time zone but UTC.
func clocks() map[string]*function {
	inZone := func(r *run) any { return r.dateInZone }
	return map[string]*function{
		"now": {make: func(r *run) any { return r.now }}, "ago": {make: func(r *run) any { return r.ago }},
		"date": {make: func(r *run) any {
			return func(layout string, date any) (string, error) { return r.dateInZone(layout, date, "Local") }
		}},
		"dateInZone": {make: inZone}, "date_in_zone": {make: inZone},
		"htmlDate": {make: func(r *run) any {
			return func(date any) (string, error) { return r.dateInZone(time.DateOnly, date, "Local") }
		}},
		"htmlDateInZone": {make: func(r *run) any {
			return func(date any, zone string) (string, error) { return r.dateInZone(time.DateOnly, date, zone) }
		}},
		"durationRound": {make: func(r *run) any { return r.durationRound }},
		"toDate":        simple(func(layout, text string) time.Time { t, _ := toDate(layout, text); return t }),
		"mustToDate":    simple(toDate),
	}
}

func toDate(layout, text string) (time.Time, error) {
	return time.ParseInLocation(layout, text, time.UTC)
}

func (r *run) now() (time.Time, error) {
	if r.options.Now.IsZero() {
		return time.Time{}, template.Refuse("it reads the clock, so every rendering would differ: " +
			"set a value in place of it, or set the time that the clock shows")
	}
	return r.options.Now.UTC().Round(0), nil
}

// moment is a date as sprig reads it: what is no date and no number of seconds is now.
func (r *run) moment(date any) (time.Time, error) {
	switch date := date.(type) {
	case time.Time:
		return date, nil
	case *time.Time:
		return *date, nil
	case int64:
		return time.Unix(date, 0), nil
	case int:
		return time.Unix(int64(date), 0), nil
	case int32:
		return time.Unix(int64(date), 0), nil
	}
	return r.now()
}

func (r *run) dateInZone(layout string, date any, zone string) (string, error) {
	switch zone {
	case "", "UTC", "Local": // so that all machines give the same
	default:
		return "", template.Refuse("times are in UTC, so that all machines render the same; use the zone UTC")
	}
	t, err := r.moment(date)
	return t.UTC().Format(layout), err
}

func (r *run) ago(date any) (string, error) {
	now, err := r.now()
	if err != nil {
		return "", err
	}
	t, err := r.moment(date)
	return now.Sub(t).Round(time.Second).String(), err
}

// durationRound is sprig's; that one asks the clock how long a date is ago.
func (r *run) durationRound(v any) (string, error) {
	if t, is := v.(time.Time); is {
		now, err := r.now()
		if err != nil {
			return "", err
		}
		v = int64(now.Sub(t))
	}
	return sprigs()["durationRound"].(func(any) string)(v), nil
}
