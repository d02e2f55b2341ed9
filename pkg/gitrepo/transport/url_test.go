package transport

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
)

func TestParseURL(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		url    string
		creds  auth.Credentials
		want   string // the name
		login  auth.Credentials
		err    string
	}{
		"path":             {reason: "a path names a repository of this machine", url: "/srv/a.git", want: "/srv/a.git"},
		"file":             {reason: "so does a file URL", url: "file:///srv/a.git", want: "/srv/a.git"},
		"https":            {reason: "a web URL names itself", url: "https://git.example/a.git", want: "https://git.example/a.git"},
		"userinfo":         {reason: "credentials leave the URL", url: "https://me:s3cret@git.example/a.git", want: "https://git.example/a.git", login: auth.Credentials{Username: "me", Password: "s3cret"}},
		"both":             {reason: "credentials given apart win", url: "https://me:s3cret@git.example/a.git", creds: auth.Credentials{BearerToken: "t"}, want: "https://git.example/a.git", login: auth.Credentials{BearerToken: "t"}},
		"empty":            {reason: "no URL is an error", err: "repository URL is empty"},
		"ssh":              {reason: "an SSH URL names itself, with its user", url: "ssh://git@h:2222/a.git", want: "ssh://git@h:2222/a.git"},
		"scp":              {reason: "so does SSH's short form", url: "git@h:a.git", want: "git@h:a.git"},
		"ssh password":     {reason: "SSH takes no password, and none shows", url: "ssh://me:s3cret@h/a", err: `repository "ssh://h/a": a password in an SSH URL is not used: use a key`},
		"scp password":     {reason: "nor does its short form", url: "me:s3cret@h:a.git", err: `repository "h:a.git" cannot be parsed: want user@host:path, without a password`},
		"ssh without user": {reason: "without a user SSH uses that of the environment", url: "ssh://h/a.git", want: "ssh://h/a.git"},
		"scp without user": {reason: "in the short form, too", url: "h:a.git", want: "h:a.git"},
		"ssh nobody":       {reason: "an empty user is invalid", url: "ssh://@h/a.git", err: `repository "ssh://h/a.git": want ssh://user@host/path`},
		"ssh option":       {reason: "what could be an option is refused", url: "ssh://-oProxyCommand=x@h/a.git", err: `repository "ssh://h/a.git": "-oProxyCommand=x" cannot be part of an SSH URL`},
		"scp option":       {reason: "in the path, too", url: "git@h:--upload-pack=x", err: `repository "git@h:--upload-pack=x": "--upload-pack=x" cannot be part of an SSH URL`},
		"svn":              {reason: "an unknown scheme is refused without its secret", url: "svn://me:s3cret@h/a", err: `repository "svn://h/a": scheme "svn" is not supported: want a path, file, http, https or ssh; or git, to read`},
		"git":              {reason: "a git daemon is read", url: "git://h/a.git", want: "git://h/a.git"},
		"git path":         {reason: "it serves paths", url: "git://h/", err: `repository "git://h/": want git://HOST/PATH`},
		"git user":         {reason: "it knows no users", url: "git://me:s3cret@h/a", err: `repository "git://h/a": a git URL has no user, query or fragment`},
		"git zero":         {reason: "a path does not end the request", url: "git://h/a%00host=b", err: `repository "git://h/a%00host=b": a path has no zero byte and no line break`},
		"no host":          {reason: "a web URL needs a host", url: "https:///a.git", err: `repository "https:///a.git" names no host`},
		"unparseable":      {reason: "what cannot be parsed still hides its secret", url: "https://me:s3%zzcret@git.example/a.git", err: `repository URL "https://git.example/a.git" cannot be parsed`},
		"slash in secret":  {reason: "even where the secret breaks the URL apart", url: "https://me:s3/cret@git.example/a.git", err: `repository URL "https://git.example/a.git" cannot be parsed`},
		"hash in secret":   {reason: "or cuts it short", url: "https://me:s3@#cret@git.example/a.git", err: `repository "https://git.example/a.git" names no host`},
		"query":            {reason: "what follows a question mark is no part of a repository's URL", url: "https://me:s3@git.example/a.git?cret@x", err: `repository "https://git.example/a.git": a Git URL has no query or fragment; a password is written with %3F and %23`},
		"two ends":         {reason: "a second @ may end a password with a slash in it", url: "https://me:s3@x/cret@git.example/a.git", err: `repository "https://git.example/a.git": an @ after the host may be the end of a password: write it as %40`},
		"at sign in path":  {reason: "without credentials it is part of the path", url: "https://git.example/a@b.git", want: "https://git.example/a@b.git"},
		"control in URL":   {reason: "control characters are refused, and quoted in the error", url: "https://git.example/a\n.git", err: `repository URL "https://git.example/a\n.git" cannot be parsed`},
		"at sign in login": {reason: "a password may hold an @", url: "https://me:s3@cret@git.example/a.git", want: "https://git.example/a.git", login: auth.Credentials{Username: "me", Password: "s3@cret"}},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := parseURL(tc.url, tc.creds)
			got, msg := endpoint{}, ""
			if err != nil {
				msg = err.Error()
			} else {
				got = *e
			}
			if diff := cmp.Diff(tc.err, msg); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.want, got.name); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if got.creds != tc.login {
				t.Errorf("%s: other credentials than expected", tc.reason)
			}
		})
	}
}

func FuzzRedact(f *testing.F) {
	for _, s := range []string{"", "a", "s3cret", "s3/cr", "s@b", "%zz", "x#y", "@#", "@0/0", "a?b", ":8080/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, secret string) {
		const mark = "hunter2"
		raw := "https://me:" + mark + secret + mark + "@git.example/a.git"
		if e, err := parseURL(raw, auth.Credentials{}); err != nil && strings.Contains(err.Error(), mark) {
			t.Errorf("the error for %q shows the secret: %v", raw, err)
		} else if err == nil && e.creds.Username == "me" && strings.Contains(e.name, mark) {
			t.Errorf("the name of %q shows the secret: %s", raw, e.name)
		}
	})
}
