package cli

import (
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func writes(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// TestFit fills paragraphs and items, each by itself, and leaves lines with a tab as they are.
func TestFit(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, text, want string
		width              int
	}{
		"Paragraphs": {"two stay two", "a b c\nd e f\n\ng h\n", "a b\nc d\ne f\n\ng h\n", 4},
		"List": {"a description stays in its column", "Two:\n\n  one    what it is\n  three  and what\n         else\nEnd.\n",
			"Two:\n\n  one    what it\n         is\n  three  and what\n         else\nEnd.\n", 18},
		"Joined": {"lines of one description are one text", "  one    a\n         b\n  two    c\n", "  one    a b\n  two    c\n", 40},
		"Below":  {"a long term has its description below", "  --long-term-of-all   a b c d e f g h\n", "  --long-term-of-all\n          a b c d e\n          f g h\n", 20},
		"Longest": {"a term that reaches the descriptions has them in their column", "  one  a\n  four bcdefg hi jk\n",
			"  one  a\n  four bcdefg\n       hi jk\n", 14},
		"Shallow": {"lines without a description are items", "  TERM\n       what it is, as\n       said\n  OTHER\n",
			"  TERM\n       what it is, as said\n  OTHER\n", 40},
		"Tab":     {"cobra's command lines", "Run:\n\tsource <(x completion bash)\n", "Run:\n\tsource <(x completion bash)\n", 10},
		"Letters": {"letters count, not bytes", "  …é   añbñcñd ñe\n", "  …é   añbñcñd\n       ñe\n", 14},
		"Word":    {"a word is not cut", "abcdefgh ij\n", "abcdefgh\nij\n", 4},
		"No end":  {"the last line may lack its end", "a b c", "a b\nc", 3},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, fit(tc.text, tc.width)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
