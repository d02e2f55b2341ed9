package auth

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/redact"
)

// description is the description of a repository for credential helpers.
type description struct {
	name               string // for errors
	protocol           string
	host, hostname     string // with its port, and without
	path               string
	username, password string
}

// describe parses a URL; it returns nil for one that is not http or https.
func describe(raw string) (*description, error) {
	scheme, _, _ := strings.Cut(raw, "://")
	if scheme = strings.ToLower(scheme); scheme != "http" && scheme != "https" || len(scheme) == len(raw) {
		return nil, nil
	}
	d := &description{name: redact.URL(raw), protocol: scheme}
	u, err := url.Parse(raw)
	if err != nil { // its text would repeat the secret
		return nil, fmt.Errorf("credentials for %q: the URL cannot be parsed", d.name)
	}
	d.host, d.hostname, d.path, d.username = u.Host, u.Hostname(), strings.Trim(u.Path, "/"), u.User.Username()
	d.password, _ = u.User.Password()
	if d.host == "" {
		return nil, fmt.Errorf("credentials for %q: the URL names no host", d.name)
	}
	if _, err := d.encode(); err != nil {
		return nil, fmt.Errorf("credentials for %q: %w", d.name, err)
	}
	return d, nil
}

// encode writes the description as lines. It refuses a value with the end of a line in it, which could pass for another
// line, such as that of another host: helpers would return the password of that one.
func (d *description) encode() (string, error) {
	var b strings.Builder
	for _, line := range []struct{ key, value string }{
		{"protocol", d.protocol}, {"host", d.host}, {"path", d.path}, {"username", d.username}, {"password", d.password},
	} {
		if strings.ContainsAny(line.value, "\n\r\x00") {
			return "", errors.New("its " + line.key + " holds the end of a line")
		}
		if line.value != "" {
			b.WriteString(line.key + "=" + line.value + "\n")
		}
	}
	return b.String() + "\n", nil
}

// parse parses the output of helpers.
func parse(out string) (c Credentials) {
	for line := range strings.Lines(out) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		switch key {
		case "username":
			c.Username = value
		case "password":
			c.Password = value
		}
	}
	if c.Password == "" { // a name alone is of no use
		return Credentials{}
	}
	return c
}
