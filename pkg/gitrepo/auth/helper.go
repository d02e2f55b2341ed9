package auth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// Fill returns the credentials for the repository at url, of which only http and https have any; the zero Credentials
// when nobody knows. A password in url is returned as it is.
func Fill(ctx context.Context, url string) (Credentials, error) {
	none := Credentials{}
	d, err := describe(url)
	switch {
	case err != nil || d == nil:
		return none, err
	case d.password != "":
		return Credentials{Username: d.username, Password: d.password}, nil
	}
	out, err := d.run(ctx, "fill")
	var failed *gitcmd.ExitError
	if errors.As(err, &failed) && isNone(failed.Said) {
		return none, nil
	}
	if err != nil {
		return none, d.explain("fill", err)
	}
	return parse(string(out)), nil
}

// Approve tells the helpers that credentials, which Fill returned, were good: they may keep them.
func Approve(ctx context.Context, url string, c Credentials) error {
	return tell(ctx, "approve", url, c)
}

// Reject tells the helpers that credentials were refused: they may forget them.
func Reject(ctx context.Context, url string, c Credentials) error {
	return tell(ctx, "reject", url, c)
}

// tell says nothing of what helpers do not know: bearer tokens, and remotes that are not on the web.
func tell(ctx context.Context, verb, url string, c Credentials) error {
	d, err := describe(url)
	if err != nil || d == nil || c.Password == "" {
		return err
	}
	d.username, d.password = c.Username, c.Password
	if _, err := d.run(ctx, verb); err != nil {
		return d.explain(verb, err)
	}
	return nil
}

// run runs git credential. It asks nobody who sits at the terminal.
func (d *description) run(ctx context.Context, verb string) ([]byte, error) {
	stdin, err := d.encode()
	if err != nil {
		return nil, err
	}
	env := []string{"GIT_TERMINAL_PROMPT=0"}
	if os.Getenv("GIT_ASKPASS") == "" {
		env = append(env, "GIT_ASKPASS=") // empty, it also keeps core.askPass and SSH_ASKPASS from being used
	}
	return gitcmd.Call{Verb: "credential", Args: []string{verb}, Env: env, Stdin: stdin}.Run(ctx)
}

// explain leaves out what was said: it may be a helper that speaks, and say anything.
func (d *description) explain(verb string, err error) error {
	var failed *gitcmd.ExitError
	if errors.As(err, &failed) {
		return fmt.Errorf("credentials for %q: git credential %s failed (%w): run it by hand to see why", d.name, verb, failed.Err)
	}
	return fmt.Errorf("credentials for %q: %w", d.name, err)
}

// isNone reports whether git gave up because no helper knew, and nobody was there to be asked; or because a helper
// told it to.
func isNone(said string) bool {
	for _, s := range []string{"could not read Username", "could not read Password", "told us to quit"} {
		if strings.Contains(said, s) {
			return true
		}
	}
	return false
}
