// Package auth finds the authentication for Git servers: credentials for HTTP, keys and known hosts for SSH.
//
// Shape: Ask finds credentials for a URL and fits gitrepo.Options.Ask. It calls Fill, which runs Git's credential helpers
// (keychains, caches and other programs configured for git); Report tells them the result, as git does. Ask looks up
// other hosts in .netrc. Rewrites returns the URL rewriting of the user (url.BASE.insteadOf). All of these run the
// user's git with its configuration in the current folder. SSH builds the configuration of an SSH client.
// Nothing prompts at the terminal; a program that prompts is run only if GIT_ASKPASS names one. A credential helper may
// open a window of its own; its output is not shown.
// Cost: one git process, and the helpers'; for SSH a few small files and one connection to the agent.
// Trust: secrets go through pipes, never through arguments, and are in no error; nor is the output of a helper.
// Errors: for a .netrc or a key that others may read or that cannot be parsed, for a URL that cannot be described to
// a helper, for a host whose key is not known, when there is no git, and when git fails otherwise than by finding nothing.
// Source: Git documentation, git-credential, "INPUT/OUTPUT FORMAT"; sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT".
package auth

import (
	"context"
	"fmt"
)

// Credentials authenticate against an HTTP server: a token, or a name and password. They never
// show in errors, logs or formatted output.
type Credentials struct {
	Username    string `json:"-"`
	Password    string `json:"-"`
	BearerToken string `json:"-"`
}

// Format writes a fixed word instead of the secret, whatever the verb.
func (c Credentials) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("[credentials]")) }

// Answer is the result of a search for credentials.
type Answer struct {
	Credentials // zero: none are known
	// Note tells the user where the credentials came from or were looked for, and what can be done, if the server refuses them.
	// One line, without secrets.
	Note string
	// Verify, when set, is told whether the server accepted the credentials.
	Verify func(ctx context.Context, accepted bool)
}
