package auth

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseNetrc(t *testing.T) {
	type entries = []login
	for name, tc := range map[string]struct {
		reason, text string
		want         entries
		err          string
	}{
		"line":       {reason: "all on a line", text: "machine h login u password p", want: entries{{"h", "u", "p"}}},
		"lines":      {reason: "or each on its own, in any order", text: "machine h\n\tpassword p\n\taccount a\n\tlogin u\n", want: entries{{"h", "u", "p"}}},
		"default":    {reason: "the rest", text: "machine h login u password p default login v password q", want: entries{{"h", "u", "p"}, {"", "v", "q"}}},
		"macro":      {reason: "macros go on to an empty line", text: "machine h login u\nmacdef init\nmachine evil login x password y\n\nmachine i password p", want: entries{{"h", "u", ""}, {"i", "", "p"}}},
		"keywords":   {reason: "any word is a value where one is due", text: "machine macdef login default password #p", want: entries{{"macdef", "default", "#p"}}},
		"comment":    {reason: "comments begin a line", text: "# machine evil\nmachine h password p#q", want: entries{{"h", "", "p#q"}}},
		"empty":      {reason: "nothing"},
		"unknown":    {reason: "what is not known is refused", text: "machine h\n\nlogin u s3cret p4rt", err: "line 3 is not understood"},
		"cut":        {reason: "what is not whole, too", text: "machine h login u\npassword", err: "line 2: it ends in the middle"},
		"no machine": {reason: "a password needs a machine", text: "password s3cret", err: "line 1 is not understood"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parseNetrc(tc.text)
			if fmt.Sprint(err) != tc.err && (err != nil || tc.err != "") {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if err != nil {
				return
			}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(login{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestNetrcFind(t *testing.T) {
	logins := []login{{"git.example", "me", "1"}, {"git.example", "you", "2"}, {"bare.example", "", "3"}, {"empty.example", "me", ""}}
	for name, tc := range map[string]struct{ reason, url, want string }{
		"first":   {"the first counts", "https://git.example/x", "me:1"},
		"user":    {"of the user who is named", "https://you@git.example/x", "you:2"},
		"other":   {"an entry of another user does not count", "https://him@git.example/x", ":"},
		"letters": {"hosts have no capitals, and ports are not told apart", "https://Git.Example:8443/x", "me:1"},
		"given":   {"a password without a user is for any user", "https://him@bare.example/x", "him:3"},
		"empty":   {"a name alone opens nothing", "https://empty.example/x", ":"},
		"part":    {"a host is a whole name", "https://evil.git.example/x", ":"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := describe(tc.url)
			if err != nil {
				t.Fatal(err)
			}
			if c := find(logins, d); c.Username+":"+c.Password != tc.want {
				t.Errorf("%s: got %s:%s, want %s", tc.reason, c.Username, c.Password, tc.want)
			}
		})
	}
	d, err := describe("https://other.example/x")
	if c := find(append(logins, login{"", "all", "4"}), d); err != nil || c != (Credentials{Username: "all", Password: "4"}) {
		t.Errorf("the default is for who is not named: %v", err)
	}
}

// FuzzParseNetrc writes what was read, and reads that: it is the same, and no error repeats what is in the file.
func FuzzParseNetrc(f *testing.F) {
	for _, s := range []string{"machine h login u password p", "default password x", "macdef m\nx\n\nmachine a", "machine machine login macdef password #", "# c\nmachine\nh"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		logins, err := parseNetrc(text)
		if err != nil {
			if strings.Trim(strings.NewReplacer("line", "", "is not understood", "", "it ends in the middle", "").Replace(err.Error()), "0123456789: ") != "" {
				t.Errorf("an error says more than where: %v", err)
			}
			return
		}
		var b strings.Builder
		for _, l := range logins {
			words := []string{"default"}
			if l.machine != "" {
				words = []string{"machine", l.machine}
			}
			if l.user != "" {
				words = append(words, "login", l.user)
			}
			if l.password != "" {
				words = append(words, "password", l.password)
			}
			b.WriteString(strings.Join(words, " ") + "\n")
		}
		again, err := parseNetrc(b.String())
		if diff := cmp.Diff(logins, again, cmp.AllowUnexported(login{})); err != nil || diff != "" {
			t.Errorf("%q is written as %q: %v\n%s", text, b.String(), err, diff)
		}
	})
}
