package push

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	backendtable "github.com/waybill-dev/waybill/pkg/backend/table"
)

// settingFlags say where the backend is, and with which credentials to use it. Secrets come from files or the environment:
// every user of the machine can read arguments.
type settingFlags struct {
	url, username, project          string
	passwordFile, tokenFile, caFile string
	timeout                         time.Duration
}

func (s *settingFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.url, "url", "", "`URL` of the backend's API")
	f.StringVar(&s.username, "username", "", "`NAME` of the user, for tables with auth Basic or Login")
	f.StringVar(&s.passwordFile, "password-file", "", "`FILE` that holds the user's password")
	f.StringVar(&s.tokenFile, "token-file", "", "`FILE` that holds the token, for tables with auth Bearer")
	f.StringVar(&s.project, "project", "", "`NAME` of the project, for tables with auth Login")
	f.StringVar(&s.caFile, "ca-file", "", "`FILE` with the CA certificates of the backend, as PEM (default: those of the system)")
	f.DurationVar(&s.timeout, "timeout", 30*time.Second, "the longest time of one request")
}

// settingPrefix begins the names of environment variables for flags.
const settingPrefix = "WAYBILL_PUSH_"

// config takes each setting from flags, from the environment or, for MidoNet, from the variables of its controllers.
func (s *settingFlags) config(table *backendtable.Table, lookup func(string) (string, bool)) (cfg httpclient.Config, err error) {
	if s.timeout <= 0 {
		return cfg, cli.Usagef("--timeout %s: want more than 0", s.timeout)
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
		return cfg, cli.Usagef("name the URL of the backend: --url or %sURL", settingPrefix)
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

// secret returns the content of file without its final newline or, without file, what was set.
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
		return "", fmt.Errorf("%s is too long for a secret", file)
	}
	return httpclient.Secret(text), nil
}

// client returns a client for the backend. Missing or invalid settings are usage errors.
func (s *settingFlags) client(table *backendtable.Table, transport http.RoundTripper) (*httpclient.Client, error) {
	cfg, err := s.config(table, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	cfg.Transport = transport
	client, err := httpclient.New(table, cfg)
	switch {
	case err == nil:
		return client, nil
	case table.NeedsToken() && cfg.Token == "":
		return nil, cli.Usagef("%w: --token-file or %sTOKEN", err, settingPrefix)
	case table.NeedsPassword() && cfg.Username == "":
		return nil, cli.Usagef("%w: --username or %sUSERNAME", err, settingPrefix)
	}
	return nil, cli.Usagef("%w", err)
}
