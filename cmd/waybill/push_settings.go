package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// pushSettings say where a backend is and who talks to it. Secrets stand in files or in the environment:
// arguments can be read by whoever lists processes.
type pushSettings struct {
	url, username, project          string
	passwordFile, tokenFile, caFile string
	timeout                         time.Duration
}

func (s *pushSettings) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.url, "url", "", "`URL` of the backend's API")
	f.StringVar(&s.username, "username", "", "`NAME` of the user, for tables with auth Basic or Login")
	f.StringVar(&s.passwordFile, "password-file", "", "`FILE` that holds the user's password")
	f.StringVar(&s.tokenFile, "token-file", "", "`FILE` that holds the token, for tables with auth Bearer")
	f.StringVar(&s.project, "project", "", "`NAME` of the project, for tables with auth Login")
	f.StringVar(&s.caFile, "ca-file", "", "`FILE` of the certificates, as PEM, by which the backend is known (default: the system's)")
	f.DurationVar(&s.timeout, "timeout", 30*time.Second, "how long one request may take")
}

// settingPrefix begins the names of variables that stand for flags.
const settingPrefix = "WAYBILL_PUSH_"

// config is what flags say, or else the environment, or else, for MidoNet, what its controllers go by.
func (s *pushSettings) config(table *table.Table, lookup func(string) (string, bool)) (cfg httpclient.Config, err error) {
	if s.timeout <= 0 {
		return cfg, usage("--timeout %s: want more than 0", s.timeout)
	}
	if table.Name() == "midonet" {
		cfg = httpclient.MidoNetConfig(lookup)
	}
	set := func(name string) string {
		value, _ := lookup(settingPrefix + name)
		return value
	}
	cfg.URL = cmp.Or(s.url, set("URL"), cfg.URL)
	cfg.Username = cmp.Or(s.username, set("USERNAME"), cfg.Username)
	cfg.Project = cmp.Or(s.project, set("PROJECT"), cfg.Project)
	cfg.Timeout, cfg.Proxy = s.timeout, http.ProxyFromEnvironment
	if cfg.URL == "" {
		return cfg, usage("say where the backend is: --url or %sURL", settingPrefix)
	}
	if cfg.Password, err = secret(s.passwordFile, set("PASSWORD"), cfg.Password); err != nil {
		return cfg, fmt.Errorf("--password-file: %w", err)
	}
	if cfg.Token, err = secret(s.tokenFile, set("TOKEN"), ""); err != nil {
		return cfg, fmt.Errorf("--token-file: %w", err)
	}
	if file := cmp.Or(s.caFile, set("CA_FILE")); file != "" {
		if cfg.CABundle, err = os.ReadFile(file); err != nil { // #nosec G304 -- the file that the user names
			return cfg, fmt.Errorf("CA bundle: %w", err)
		}
	}
	return cfg, nil
}

// secret is what a file holds, without the end of its line; without file, what was set.
func secret(file, set string, otherwise httpclient.Secret) (httpclient.Secret, error) {
	const most = 64 << 10
	if file == "" {
		return cmp.Or(httpclient.Secret(set), otherwise), nil
	}
	f, err := os.Open(file) // #nosec G304 -- the file that the user names
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return "", err
	}
	text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	switch {
	case len(text) == 0:
		return "", fmt.Errorf("%s is empty", file)
	case len(text) > most:
		return "", fmt.Errorf("%s is longer than any secret", file)
	}
	return httpclient.Secret(text), nil
}

// client is one for the backend; what is missing or wrong is wrong usage.
func (s *pushSettings) client(table *table.Table, carrier http.RoundTripper) (*httpclient.Client, error) {
	cfg, err := s.config(table, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	cfg.Transport = carrier
	client, err := httpclient.New(table, cfg)
	switch {
	case err == nil:
		return client, nil
	case table.NeedsToken() && cfg.Token == "":
		return nil, usage("%w: --token-file or %sTOKEN", err, settingPrefix)
	case table.NeedsPassword() && cfg.Username == "":
		return nil, usage("%w: --username or %sUSERNAME", err, settingPrefix)
	}
	return nil, usage("%w", err)
}
