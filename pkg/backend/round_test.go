package backend_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// letters is a backend that holds letters, and has its own mind about each of them.
type letters struct {
	mind  map[string]func() (status int, after string) // status 0: no answer
	asked []string                                     // in order
}

func (l *letters) RoundTrip(r *http.Request) (*http.Response, error) {
	var body struct{ ID string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return nil, err
	}
	l.asked = append(l.asked, body.ID)
	res := &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Header: http.Header{}, Request: r}
	if mind := l.mind[body.ID]; mind != nil {
		status, after := mind()
		if status == 0 {
			return nil, errors.New("connection refused")
		}
		res.StatusCode = status
		res.Header.Set("Retry-After", after)
	}
	return res, nil
}

// says has a letter answered always in one way.
func says(status int, after string) func() (int, string) {
	return func() (int, string) { return status, after }
}

// plan asks for a letter in a Translation of its own each.
func (l *letters) plan(t *testing.T, all string) (*httpclient.Client, *waybill.BackendPlan) {
	t.Helper()
	table, err := table.Read("t.yaml", []byte(tableText("", "", a(""))))
	if err != nil {
		t.Fatal(err)
	}
	var desired []plan.Translation
	for _, c := range all {
		desired = append(desired, translation("t/"+string(c), resource("A", "", "id", string(c))))
	}
	plan, err := plan.New(desired, table, inventory.New("t"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := httpclient.New(table, httpclient.Config{URL: "http://backend.example", Transport: l})
	if err != nil {
		t.Fatal(err)
	}
	return c, plan
}

// done are the letters that are there in the end.
func done(result *apply.Result) (all string) {
	for _, o := range result.Outcomes {
		if o.State == apply.StateDone {
			all += o.Operation.ID
		}
	}
	return all
}

// TestAllAreTried has some letters fail for ever, and holds that all others are created: the first time,
// and by a process that knows nothing of it.
func TestAllAreTried(t *testing.T) {
	const all = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for name, tc := range map[string]struct {
		reason  string
		failing string
		mind    func() (int, string)
		asked   string // the first that are asked for
		slept   []time.Duration
	}{
		"in trouble":       {"with each of these alone", "abc", says(500, ""), "abcdefgh", []time.Duration{500 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second}},
		"nearly all":       {"as long as anything succeeds", all[:50], says(502, ""), "abcdefghijklmnopqrstUVWXYZ"[:20] + "uvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", nil},
		"busy":             {"each for a second, and then it is after the others", "a", says(503, "1"), "abcdefgh", nil},
		"busy for longer":  {"than one waits for it", "a", says(429, "31"), "abcdefgh", nil},
		"busy for hours":   {"that is not about the others", "a", says(503, "36000"), "abcdefgh", []time.Duration{30 * time.Second}},
		"two for longer":   {"each is left out alone, and waited for as long as it gets further", "ab", says(503, "45"), "cdef", nil},
		"many for hours":   {"nor are eight about the others", "abcdefgh", says(503, "36000"), "ijkl", []time.Duration{30 * time.Second, 500 * time.Millisecond}},
		"many are busy":    {"not all that ask to be left alone are asked in one go", "abcdefgh", says(503, "1"), "abcd", nil},
		"no answer":        {"to three in succession: the others come first then", "abc", says(0, ""), "abcdefgh", nil},
		"no answer to six": {"nor to the next three", "abcdef", says(0, ""), "abcdefgh", nil},
	} {
		t.Run(name, func(t *testing.T) {
			l := &letters{mind: map[string]func() (int, string){}}
			for _, c := range tc.failing {
				l.mind[string(c)] = tc.mind
			}
			c, plan := l.plan(t, all)
			clock := &fakeClock{}
			result, err := apply.Run(t.Context(), c, plan, inventory.NewMemoryStore(inventory.New("t")), apply.Options{Clock: clock})
			if err != nil {
				t.Fatal(err)
			}
			var want []rune
			for _, c := range all {
				if !strings.ContainsRune(tc.failing, c) {
					want = append(want, c)
				}
			}
			slices.SortFunc(want, func(a, b rune) int { return strings.Compare("t/"+string(a), "t/"+string(b)) })
			if diff := cmp.Diff(string(want), done(result)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if tc.slept != nil {
				if diff := cmp.Diff(tc.slept, clock.slept); diff != "" {
					t.Errorf("%s: waits (-want +got):\n%s", tc.reason, diff)
				}
			}
			if got := len(l.asked); got > len(all)+8*len(tc.failing) {
				t.Errorf("%s: %d requests", tc.reason, got)
			}
		})
	}
}

// TestDownIsNotHammered holds how much a backend is asked that answers nothing, or nothing well.
func TestDownIsNotHammered(t *testing.T) {
	all := ""
	for i := range 500 {
		all += string(rune(0x4e00 + i))
	}
	for name, tc := range map[string]struct {
		reason string
		mind   func() (int, string)
		most   int
	}{
		"no answer": {"three each round", says(0, ""), 15},
		"busy":      {"as many", says(429, "2"), 15},
		"for hours": {"nor more after one pause", says(503, "36000"), 15},
		"trouble":   {"more each round, and all in the last one", says(503, ""), 20 + 40 + 80 + 160 + 500},
	} {
		t.Run(name, func(t *testing.T) {
			l := &letters{mind: map[string]func() (int, string){}}
			for _, c := range all {
				l.mind[string(c)] = tc.mind
			}
			c, plan := l.plan(t, all)
			result, err := apply.Run(t.Context(), c, plan, inventory.NewMemoryStore(inventory.New("t")), apply.Options{Clock: &fakeClock{}})
			if err != nil || !result.Retryable() {
				t.Fatal(err, result.Err())
			}
			if got := len(l.asked); got != tc.most {
				t.Errorf("%s: %d requests, want %d", tc.reason, got, tc.most)
			}
		})
	}
}

func TestWhatACallerMayAskFor(t *testing.T) {
	for name, tc := range map[string]struct {
		reason  string
		mind    map[string]func() (int, string)
		options func(clock *fakeClock) apply.Options
		done    string
		asked   int
		after   time.Duration
		rest    bool
	}{
		"hand back": {
			"a caller that waits by itself gets the pause at once", map[string]func() (int, string){"b": says(503, "7")},
			func(*fakeClock) apply.Options { return apply.Options{HandBack: true} }, "a", 2, 7 * time.Second, false,
		},
		"skip": {
			"one is not tried, and none waits for it", map[string]func() (int, string){"b": says(503, "7")},
			func(*fakeClock) apply.Options {
				return apply.Options{Skip: func(translation string) bool { return translation == "t/b" }}
			}, "acd", 3, 0, false,
		},
		"slice": {
			"after a time nothing more is begun", nil,
			func(clock *fakeClock) apply.Options {
				return apply.Options{Slice: 10 * time.Second, Observe: func(apply.Outcome) { clock.now = clock.now.Add(6 * time.Second) }}
			}, "ab", 2, 0, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, clock := &letters{mind: tc.mind}, &fakeClock{}
			c, plan := l.plan(t, "abcd")
			options := tc.options(clock)
			options.Clock = clock
			result, err := apply.Run(t.Context(), c, plan, inventory.NewMemoryStore(inventory.New("t")), options)
			if err != nil {
				t.Fatal(err)
			}
			if done(result) != tc.done || len(l.asked) != tc.asked || result.RetryAfter != tc.after || result.Unfinished != tc.rest {
				t.Errorf("%s: done %q by %d requests, after %s, unfinished %t", tc.reason, done(result), len(l.asked), result.RetryAfter, result.Unfinished)
			}
			if len(clock.slept) > 0 {
				t.Errorf("%s: it slept %v", tc.reason, clock.slept)
			}
		})
	}
}

// TestNothingIsBegunAfterTheContextHasEnded has another leader from the second letter on.
func TestNothingIsBegunAfterTheContextHasEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	l := &letters{mind: map[string]func() (int, string){"b": func() (int, string) { cancel(); return 200, "" }}}
	c, plan := l.plan(t, "abcd")
	store := inventory.NewMemoryStore(inventory.New("t"))
	_, err := apply.Run(ctx, c, plan, store, apply.Options{Clock: &fakeClock{}})
	if !errors.Is(err, context.Canceled) || len(l.asked) != 2 {
		t.Errorf("%v, asked for %v", err, l.asked)
	}
	if i, _ := store.Load(t.Context()); i.Len() > 3 {
		t.Errorf("what was not tried is in the inventory: %s", fmt.Sprint(i.Records()))
	}
}
