package pkgtree

import (
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"
)

// TestPackedGitBlob has content that was compressed elsewhere be as what a file makes of it.
func TestPackedGitBlob(t *testing.T) {
	for _, text := range []string{"", "a line\n", strings.Repeat("a line\n", minPacked)} {
		want := NewBlob([]byte(text))
		got := PackedGitBlob(s2.Encode(nil, []byte(text)), len(text), want.GitID())
		if string(got.Data()) != text || got.Size() != len(text) || got.GitID() != want.GitID() || !got.Equal(want) || !want.Equal(got) {
			t.Errorf("%d bytes are %q", len(text), got.Data())
		}
	}
}
