package auth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// Fill returns the credentials for the repository at url, for http and https only, and the zero Credentials if no helper
// has any. It returns a password in url unchanged.
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
	if errors.As(err, &failed) && isNone(failed.Output) {
		return none, nil
	}
	if err != nil {
		return none, d.explain("fill", err)
	}
	return parse(string(out)), nil
}

// Report tells the helpers whether the server accepted credentials that Fill returned: they may keep them, or forget them. It does
// nothing for credentials that helpers do not know: bearer tokens, and those of remotes that are not reached by HTTP.
func Report(ctx context.Context, url string, c Credentials, accepted bool) error {
	d, err := describe(url)
	if err != nil || d == nil || c.Password == "" {
		return err
	}
	verb := "reject"
	if accepted {
		verb = "approve"
	}
	d.username, d.password = c.Username, c.Password
	if _, err := d.run(ctx, verb); err != nil {
		return d.explain(verb, err)
	}
	return nil
}

// run runs git credential, without a prompt at the terminal.
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

// explain omits the output, which may come from a helper and contain a secret.
func (d *description) explain(verb string, err error) error {
	var failed *gitcmd.ExitError
	if errors.As(err, &failed) {
		return fmt.Errorf("credentials for %q: git credential %s failed (%w): run it by hand to see why", d.name, verb, failed.Err)
	}
	return fmt.Errorf("credentials for %q: %w", d.name, err)
}

// isNone reports whether git failed because no helper had credentials and prompts are off, or because a helper
// told it to stop.
func isNone(output string) bool {
	for _, s := range []string{"could not read Username", "could not read Password", "told us to quit"} {
		if strings.Contains(output, s) {
			return true
		}
	}
	return false
}
