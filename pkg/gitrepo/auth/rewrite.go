package auth

import (
	"context"
	"errors"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// Rewrites reads the user's url.<base>.insteadOf, and returns a function that rewrites a repository's URL as git does: it
// replaces the longest prefix that matches. Without git it changes nothing.
func Rewrites(ctx context.Context) (func(url string) string, error) {
	out, err := gitcmd.Call{Verb: "config", Args: []string{"-z", "--get-regexp", `^url\..*\.insteadof$`}}.Run(ctx)
	var missing *gitcmd.MissingError
	var failed *gitcmd.ExitError
	switch {
	case errors.As(err, &missing), errors.As(err, &failed) && failed.Output == "" && ctx.Err() == nil: // it has none
		return func(url string) string { return url }, nil
	case err != nil:
		return nil, err
	}
	return rewriter(string(out)), nil
}

// rewriter parses the output of git config: key, newline, value, NUL.
func rewriter(config string) func(string) string {
	bases := map[string]string{} // by what they stand instead of
	for entry := range strings.SplitSeq(config, "\x00") {
		key, instead, ok := strings.Cut(entry, "\n")
		base, isOne := strings.CutSuffix(strings.TrimPrefix(key, "url."), ".insteadof")
		if _, known := bases[instead]; ok && isOne && !known && instead != "" { // the first counts
			bases[instead] = base
		}
	}
	return func(url string) string {
		longest := ""
		for instead := range bases {
			if strings.HasPrefix(url, instead) && len(instead) > len(longest) {
				longest = instead
			}
		}
		return bases[longest] + url[len(longest):]
	}
}
