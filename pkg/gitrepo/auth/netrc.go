package auth

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// login is the entry of .netrc for one machine.
type login struct {
	machine  string // empty: any that has no entry of its own
	user     string
	password string
}

const maxNetrc = 1 << 20

// Netrc returns the credentials that .netrc has for the HTTP server of url; none if it has none.
func Netrc(url string, getenv func(string) string) (Credentials, error) {
	c, _, err := fromNetrc(url, getenv)
	return c, err
}

// fromNetrc reads the file that NETRC names, or else .netrc in the user's home; file is its name. It refuses one that others
// may read.
func fromNetrc(url string, getenv func(string) string) (c Credentials, file string, err error) {
	d, err := describe(url)
	if err != nil || d == nil {
		return c, "", err
	}
	if file = getenv("NETRC"); file == "" && getenv("HOME") != "" {
		file = filepath.Join(getenv("HOME"), ".netrc")
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, file, nil
	case err != nil:
		return c, file, err
	case !info.Mode().IsRegular() || info.Size() > maxNetrc:
		return c, file, fmt.Errorf("%s is not a regular file of at most %d bytes", file, maxNetrc)
	case info.Mode().Perm()&0o077 != 0:
		return c, file, fmt.Errorf("%s may be read by others (mode %04o) and is not used: chmod 600", file, info.Mode().Perm())
	}
	data, err := os.ReadFile(file) // #nosec G304 G703 -- the user names it
	if err != nil {
		return c, file, err
	}
	logins, err := parseNetrc(string(data))
	if err != nil {
		return c, file, fmt.Errorf("%s %w", file, err)
	}
	return find(logins, d), file, nil
}

// find returns the first entry for the host that has a password, and that is for the user if the URL names one.
func find(logins []login, d *description) Credentials {
	host := strings.ToLower(d.hostname)
	for _, l := range logins {
		if (l.machine == "" || strings.ToLower(l.machine) == host) && l.password != "" &&
			(d.username == "" || l.user == "" || l.user == d.username) {
			return Credentials{Username: cmp.Or(l.user, d.username), Password: l.password}
		}
	}
	return Credentials{}
}

// parseNetrc parses the file. An error contains the number of the line and never its text.
func parseNetrc(text string) (logins []login, err error) {
	words := netrcWords(text)
	for len(words) > 0 {
		key := words[0]
		if key.text == "default" {
			logins, words = append(logins, login{}), words[1:]
			continue
		}
		if len(words) == 1 {
			return nil, fmt.Errorf("line %d: it ends in the middle", key.line)
		}
		value := words[1].text
		words = words[2:]
		if key.text == "machine" {
			logins = append(logins, login{machine: value})
			continue
		}
		if len(logins) == 0 || !logins[len(logins)-1].set(key.text, value) {
			return nil, fmt.Errorf("line %d is not understood", key.line)
		}
	}
	return logins, nil
}

func (l *login) set(key, value string) bool {
	switch key {
	case "login":
		l.user = value
	case "password":
		l.password = value
	case "account":
	default:
		return false
	}
	return true
}

type netrcWord struct {
	text string
	line int
}

// netrcWords skips comments, and macros, which extend to the next empty line. Where a value is expected, any word is one.
func netrcWords(text string) (out []netrcWord) {
	macro, due, n := false, false, 0
	for line := range strings.Lines(text) {
		n++
		fields := strings.Fields(line)
		if macro = macro && len(fields) > 0; macro {
			continue
		}
		for i, f := range fields {
			macro = f == "macdef" && !due
			if macro || i == 0 && !due && strings.HasPrefix(f, "#") {
				break
			}
			out = append(out, netrcWord{f, n})
			due = !due && f != "default"
		}
	}
	return out
}
