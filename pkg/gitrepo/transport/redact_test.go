package transport

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/redact"
)

// TestRedactTotal puts a password into addresses of every kind, mistyped ones as well, and looks for it in what is
// shown, and in the error that the address gives.
func TestRedactTotal(t *testing.T) {
	for _, raw := range []string{
		"http:/user:TOKEN@h/x.git", "https:user:TOKEN@h/x.git", "http//user:TOKEN@h/x.git", "https://user:TOKEN%zz@h/x.git",
		"user:TOKEN@h:x.git", "//user:TOKEN@h/x.git", "htps://user:TOKEN@h/x.git", " https://user:TOKEN@h/x.git",
		`https:\\user:TOKEN@h\x.git`, "https://TOKEN@h/x.git", "https:/TOKEN@h/x.git", "http//TOKEN@h/x.git", "https:/h/x.git?token=TOKEN",
		"h/x.git?TOKEN", "https:h/x.git#TOKEN", "user/TOKEN@h:x", "https://user:TO/KEN@h/x.git", "ssh:user:TOKEN@h/x.git",
		"https://h/x.git?a=TOKEN%zz", "HTTPS:/user:TOKEN@h", "/work/http:/user:TOKEN@h/x.git", "https:user:a@TOKEN@h",
		"http://user:TOKEN%40h:1/x.git", "http://user:TOKEN＠h/x.git", "http:/user:TOKEN%40h/x.git", "http://user:TOKEN%40h",
	} {
		if shown := redact.URL(raw); strings.Contains(shown, "TOKEN") || strings.Contains(shown, "KEN@") {
			t.Errorf("%s is shown as %s", raw, shown)
		}
		if e, err := parseURL(raw, auth.Credentials{}); err != nil && strings.Contains(err.Error(), "TOKEN") || err == nil && strings.Contains(e.name, "TOKEN") {
			t.Errorf("%s: %v, %v", raw, e, err)
		}
	}
	for _, raw := range []string{"git@github.com:a/b.git", "../b@v1", "/srv/repo.git", "host:a/b.git", "./a?b", "https://h/x.git", "C#"} {
		if shown := redact.URL(raw); shown != raw {
			t.Errorf("%s, which holds no secret, is shown as %s", raw, shown)
		}
	}
	for _, raw := range []string{"http:/h/x.git", "https:h/x.git", "http//h/x.git", "file:/srv/x"} {
		if e, err := parseURL(raw, auth.Credentials{}); err == nil || !strings.Contains(err.Error(), "SCHEME://HOST/PATH") {
			t.Errorf("%s is no repository: %v, %v", raw, e, err)
		}
	}
}

// TestRedactKeeps holds that scheme, host, path and ref stay where a secret is left out.
func TestRedactKeeps(t *testing.T) {
	for raw, want := range map[string]string{
		"https://me:TOKEN@git.example/o/r.git":                "https://git.example/o/r.git",
		"https://me:TO/KEN@git.example/o/r.git":               "https://git.example/o/r.git",
		"https://me:TO@x/KEN@git.example/o/r.git":             "https://git.example/o/r.git",
		"https://me:TO?KEN@git.example/o/r.git":               "https://git.example/o/r.git",
		"https://me:TO#KEN@git.example:8443/o/r.git?a=TOKEN":  "https://git.example:8443/o/r.git",
		"https://me:TOKEN@git.example/o/r.git?a=TOKEN":        "https://git.example/o/r.git",
		"https://git.example/o/r.git?a=TO@KEN":                "https://git.example/o/r.git",
		"https://git.example/o/r.git#TOKEN":                   "https://git.example/o/r.git",
		"https://me:TOKEN@git.example/o/r.git/d@v1":           "https://git.example/o/r.git/d@v1",
		"https://me:TOKEN@git.example/o/r.git/d@v1?a=TOKEN":   "https://git.example/o/r.git/d@v1",
		"https://me:TOKEN@h/o/r.git/d@d/v1":                   "https://h/o/r.git/d@d/v1",
		"https://git.example/@scope/r":                        "https://git.example/@scope/r",
		"https://TO/KEN@git.example/o/r.git":                  "https://git.example/o/r.git",
		"https://[::1]:8443/o/r@v1":                           "https://[::1]:8443/o/r@v1",
		"git@git.example:o/r.git/d@v1?a=TOKEN":                "git@git.example:o/r.git/d@v1",
		"https://me:TO@git.example/KEN?x@git.example/o/r.git": "https://…",
	} {
		if shown := redact.URL(raw); shown != want {
			t.Errorf("%s is shown as %s, want %s", raw, shown, want)
		}
	}
	for raw, want := range map[string]string{"v1?token=TOKEN": "v1?…", "d/v1": "d/v1"} {
		if shown := redact.Ref(raw); shown != want {
			t.Errorf("ref %s is shown as %s, want %s", raw, shown, want)
		}
	}
}
