// Package auth finds what a Git server wants for authentication: credentials for HTTP, keys and known hosts for SSH.
//
// Shape: Ask finds credentials for a URL and is what gitrepo.Options.Ask wants. It calls Fill, which asks Git's credential
// helpers (keychains, caches and other programs that users set up for git); Report tells them the result, as git
// does. What they do not know Ask looks up in .netrc. Rewrites returns what URLs the user wants replaced by others
// (url.BASE.insteadOf). All of these run the user's git with the configuration that it has in the current folder. SSH
// makes the configuration of an SSH client.
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
