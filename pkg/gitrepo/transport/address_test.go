package transport

import (
	"path/filepath"
	"testing"
)

func TestAddress(t *testing.T) {
	here, err := filepath.Abs("x.git")
	if err != nil {
		t.Fatal(err)
	}
	for want, urls := range map[string][]string{
		"https://example.com/team/apps": {
			"https://example.com/team/apps", "https://example.com/team/apps.git", "https://example.com/team/apps/", "https://example.com/team/apps.git/",
			"https://EXAMPLE.com/team/apps", "https://example.com:443/team/apps", "http://example.com:80/team/apps", "http://example.com/team/apps",
			"https://ada:s3cr3t@example.com/team/apps", "https://ada@example.com//team/./apps", "https://example.com/team/%61pps", "https://example.com./team/apps",
		},
		"https://example.com/Team/apps":        {"https://example.com/Team/apps.git"},
		"https://example.com:8443/team/apps":   {"https://example.com:8443/team/apps.git"},
		"https://example.com:443/team/apps":    {"http://example.com:443/team/apps"},
		"https://[::1]/apps":                   {"https://[::1]/apps", "https://[::1]:443/apps.git"},
		"https://[::1]:8080/apps":              {"http://[::1]:8080/apps"},
		"ssh://git@example.com/team/apps":      {"git@example.com:team/apps.git", "ssh://git@example.com/team/apps", "ssh://git@EXAMPLE.com:22/team/apps.git/"},
		"ssh://git@example.com:2222/team/apps": {"ssh://git@example.com:2222/team/apps"},
		"ssh://example.com/team/apps":          {"example.com:team/apps"},
		"file:///srv/apps.git":                 {"/srv/apps.git", "/srv/apps.git/", "/srv/x/../apps.git", "file:///srv/apps.git"},
		"file:///srv/apps":                     {"/srv/apps"}, // a folder and one with .git at its end may lie side by side
		"file://" + here:                       {"x.git", "./x.git/"},
		"git://example.com/apps":               {"git://example.com/apps.git", "git://EXAMPLE.com:9418/apps/"},
		"ftp://example.com/apps":               {"ftp://ada:s3cr3t@example.com/apps"},
		"":                                     {""},
	} {
		for _, raw := range urls {
			if got := Address(raw); got != want {
				t.Errorf("Address(%q) = %q, want %q", raw, got, want)
			}
		}
	}
}

func TestSameRepository(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"https://example.com/apps", "http://ada@EXAMPLE.com:80/apps.git/", true},
		{"https://example.com/apps", "https://example.com/other", false},
		{"../apps.git", "../apps", true},
		{"../apps.git", "./../apps.git", false},
		{"/srv/apps.git", "https://example.com/srv/apps.git", false},
		{"git@example.com:apps.git", "ssh://git@example.com/apps", true},
	} {
		if got := SameRepository(tc.a, tc.b); got != tc.want {
			t.Errorf("SameRepository(%q, %q) = %v, want %v", tc.a, tc.b, got, tc.want)
		}
	}
}
