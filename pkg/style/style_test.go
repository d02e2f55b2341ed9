package style_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/style"
)

// TestPaint paints only with a palette, only in a style, and only what is there; Plain takes the paint off again.
func TestPaint(t *testing.T) {
	for name, tc := range map[string]struct {
		palette    style.Palette
		style      style.Style
		text, want string
	}{
		"On":       {true, style.Added, "a", "\x1b[32ma\x1b[0m"},
		"Off":      {false, style.Added, "a", "a"},
		"No style": {true, style.Word("ordinary"), "a", "a"},
		"No text":  {true, style.Error, "", ""},
		"Word":     {true, style.Word("high"), "high", "\x1b[31mhigh\x1b[0m"},
		"Level":    {true, style.Word("medium"), "a", "\x1b[33ma\x1b[0m"},
		"Low":      {true, style.Word("low"), "a", "\x1b[2ma\x1b[0m"},
	} {
		t.Run(name, func(t *testing.T) {
			got := tc.palette.Paint(tc.style, tc.text)
			if got != tc.want || style.Plain(got) != tc.text {
				t.Errorf("got %q, want %q; without paint it is %q", got, tc.want, style.Plain(got))
			}
		})
	}
}

// TestOf asks outputs for their palette, and passes on what is written.
func TestOf(t *testing.T) {
	var b strings.Builder
	on, off := style.On(&b, true), style.On(&b, false)
	if !style.Of(on) || style.Of(off) || style.Of(&b) {
		t.Errorf("on %v, off %v, none %v", style.Of(on), style.Of(off), style.Of(&b))
	}
	if _, err := on.Write([]byte("text")); err != nil || b.String() != "text" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
