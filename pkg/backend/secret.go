package backend

import (
	"encoding/base64"
	"slices"
	"strings"
)

// Secret is text that is sent and never shown.
type Secret string

const hidden = "(hidden)"

// String hides the text.
func (Secret) String() string { return hidden }

// GoString hides the text.
func (Secret) GoString() string { return hidden }

// MarshalText hides the text.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// hide takes secrets, and what basic authentication makes of them, out of a text. Longer ones go first:
// a short one may be part of them.
func hide(text string, user string, secrets ...string) string {
	all := slices.Clone(secrets)
	for _, s := range secrets {
		if s != "" {
			all = append(all, base64.StdEncoding.EncodeToString([]byte(user+":"+s)))
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	for _, s := range all {
		if s != "" {
			text = strings.ReplaceAll(text, s, hidden)
		}
	}
	return text
}
