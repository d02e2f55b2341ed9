package cli

import (
	"context"
	"strings"

	commits "github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
)

// FindRefs finds the branches, tags and remote branches of the repository around a folder, and HEAD.
func FindRefs(ctx context.Context, dir string) ([]string, error) {
	refs, err := commits.Refs(ctx, dir)
	if err != nil {
		return nil, err
	}
	out := []string{"HEAD"}
	for _, ref := range refs {
		out = append(out, ref.Short())
	}
	return out, nil
}

// SplitAt cuts what a user typed of NAME@REF; false without an @. A proposal for REF begins with before. Bash ends a word before
// and after @, so that NAME, @ and REF may be arguments of their own.
func SplitAt(args []string, word string) (name, before string, ok bool) {
	if word == "@" && len(args) > 0 {
		return args[len(args)-1], "@", true
	}
	if n := len(args); n > 0 && args[n-1] == "@" {
		return strings.Join(args[max(0, n-2):n-1], ""), "", true
	}
	i := strings.LastIndex(word, "@")
	if i < 0 {
		return "", "", false
	}
	return word[:i], word[:i+1], true
}

// WithPrefix returns proposals for texts with a common begin.
func WithPrefix(before string, texts []string) (out []Proposal) {
	for _, text := range texts {
		out = append(out, Proposal{Text: before + text})
	}
	return out
}
