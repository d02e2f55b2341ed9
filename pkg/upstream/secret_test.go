package upstream_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/upstream"
)

func TestWithoutSecret(t *testing.T) {
	cases := map[string]struct{ reason, repo, want string }{
		"Path":        {"as it is", "/srv/a@b.git", "/srv/a@b.git"},
		"Short":       {"a name opens nothing", "git@git.example.com:a/b", "git@git.example.com:a/b"},
		"SSH":         {"nor here", "ssh://git@git.example.com/a", "ssh://git@git.example.com/a"},
		"SSHPassword": {"a password does", "ssh://git:s3cret@git.example.com/a", "ssh://git@git.example.com/a"},
		"Token":       {"a name on the web may be a token", "https://s3cret@git.example.com/a", "https://git.example.com/a"},
		"Query":       {"people put them everywhere", "https://git.example.com/a?token=s3cret", "https://git.example.com/a"},
		"SSHQuery":    {"anywhere", "ssh://git.example.com/a?token=s3cret", "ssh://git.example.com/a"},
		"SSHLate":     {"really", "ssh://git@git.example.com/a?token=s3cret", "ssh://git@git.example.com/a"},
		"Broken":      {"what cannot be read is cut", "ssh://git@git.example.com/%zz:s3cret@x", "ssh://…@x"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, upstream.WithoutSecret(tc.repo)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
