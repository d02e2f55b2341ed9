package auth

import (
	"context"
	"errors"
	"os"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

const advice = "; store them with a credential helper of git (git config credential.helper, git credential approve), " +
	"or put USER:PASSWORD@, or a token in the place of the password, before the host in the URL"

// Ask finds credentials for the repository at url: those of git's helpers, and else those in .netrc. It tells the helpers whether
// theirs were accepted, so that they do not return refused ones again. It is a gitrepo.Options.Ask.
func Ask(ctx context.Context, url string) (Answer, error) {
	c, err := Fill(ctx, url)
	if c != (Credentials{}) {
		return Answer{
			Credentials: c,
			Verify:      func(ctx context.Context, accepted bool) { _ = Report(ctx, url, c, accepted) }, // an error does not change the result
			Note: "the server refused the credentials of git's credential helper, and the helper may have deleted them: " +
				"store new ones" + advice,
		}, nil
	}
	c, file, failed := fromNetrc(url, os.Getenv)
	if c != (Credentials{}) {
		return Answer{Credentials: c, Note: "the server refused the credentials in " + file + advice}, nil
	}
	if err = errors.Join(err, failed); err != nil {
		return Answer{}, err
	}
	return Answer{Note: noneKnown(ctx) + ", and .netrc has none for it" + advice}, nil
}

// noneKnown says why git has no credentials.
func noneKnown(ctx context.Context) string {
	out, err := gitcmd.Call{Verb: "config", Args: []string{"--get-regexp", `^credential\.(.*\.)?helper$`}}.Run(ctx)
	if err != nil || len(out) == 0 {
		return "no credential helper is configured for git"
	}
	return "git's credential helpers have no credentials for it"
}
