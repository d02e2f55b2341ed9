package push

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	backendtable "github.com/waybill-dev/waybill/pkg/backend/table"
)

// TestPushSettings takes settings from flags, from the environment, and from MidoNet's own variables, in
// this order.
func TestPushSettings(t *testing.T) {
	secrets := t.TempDir()
	file := func(name, text string) string {
		must(t, os.WriteFile(filepath.Join(secrets, name), []byte(text), 0o600))
		return filepath.Join(secrets, name)
	}
	second := time.Second
	for name, tc := range map[string]struct {
		reason, table string
		flags         settingFlags
		env           map[string]string
		want          httpclient.Config
		err           string
	}{
		"nothing": {"an address has no default", "rest-example", settingFlags{timeout: second}, nil, httpclient.Config{}, "name the URL of the backend: --url or WAYBILL_PUSH_URL"},
		"midonet": {
			"but for MidoNet, where its controllers have one", "midonet", settingFlags{timeout: second}, nil,
			httpclient.Config{URL: "https://localhost:8181/midonet-api", Username: "admin", Timeout: second}, "",
		},
		"its own variables": {
			"what its controllers go by", "midonet", settingFlags{timeout: second},
			map[string]string{"MIDONET_API": "https://a", "MIDONETKUBE_MIDONET_USERNAME": "u", "MIDONET_PASSWORD": "p", "MIDONET_PROJECT": "lab"},
			httpclient.Config{URL: "https://a", Username: "u", Password: "p", Project: "lab", Timeout: second}, "",
		},
		"not for others": {
			"a password is for one backend", "rest-example", settingFlags{url: "https://b", timeout: second}, map[string]string{"MIDONET_PASSWORD": "p", "MIDONET_API": "https://a"},
			httpclient.Config{URL: "https://b", Timeout: second}, "",
		},
		"variables": {
			"ours come before", "midonet", settingFlags{timeout: second},
			map[string]string{"MIDONET_API": "https://a", "WAYBILL_PUSH_URL": "https://b", "WAYBILL_PUSH_USERNAME": "v", "WAYBILL_PUSH_PASSWORD": "q", "WAYBILL_PUSH_PROJECT": "x", "WAYBILL_PUSH_TOKEN": "t", "WAYBILL_PUSH_CA_FILE": file("ca", "c\n")},
			httpclient.Config{URL: "https://b", Username: "v", Password: "q", Project: "x", Token: "t", CABundle: []byte("c\n"), Timeout: second}, "",
		},
		"flags": {
			"and flags before those; the end of a line is no part of a secret, but a space may be", "midonet",
			settingFlags{url: "https://c", username: "w", project: "y", passwordFile: file("p", " r \r\n"), tokenFile: file("t", "k\n\n"), caFile: file("ca2", "d"), timeout: 2 * second},
			map[string]string{"WAYBILL_PUSH_URL": "https://b", "WAYBILL_PUSH_USERNAME": "v", "WAYBILL_PUSH_PASSWORD": "q", "WAYBILL_PUSH_PROJECT": "x", "WAYBILL_PUSH_TOKEN": "t", "WAYBILL_PUSH_CA_FILE": "none"},
			httpclient.Config{URL: "https://c", Username: "w", Password: " r ", Project: "y", Token: "k\n", CABundle: []byte("d"), Timeout: 2 * second}, "",
		},
		"no file":   {"a secret that is not there is not no secret", "rest-example", settingFlags{url: "https://b", tokenFile: "none", timeout: second}, nil, httpclient.Config{}, "--token-file: open none: no such file or directory"},
		"empty":     {"nor is one that is empty", "midonet", settingFlags{passwordFile: file("e", "\n"), timeout: second}, nil, httpclient.Config{}, "--password-file: " + filepath.Join(secrets, "e") + " is empty"},
		"huge":      {"nor is a file that was meant for something else", "midonet", settingFlags{passwordFile: file("h", strings.Repeat("a", 1<<17)), timeout: second}, nil, httpclient.Config{}, "--password-file: " + filepath.Join(secrets, "h") + " is too long for a secret"},
		"no CA":     {"nor CA", "midonet", settingFlags{caFile: "none", timeout: second}, nil, httpclient.Config{}, "CA bundle: open none: no such file or directory"},
		"no time":   {"nothing takes no time", "midonet", settingFlags{}, nil, httpclient.Config{}, "--timeout 0s: want more than 0"},
		"less time": {"nor less", "midonet", settingFlags{timeout: -second}, nil, httpclient.Config{}, "--timeout -1s: want more than 0"},
	} {
		t.Run(name, func(t *testing.T) {
			table, _, err := backendtable.Builtin(tc.table)
			must(t, err)
			got, err := tc.flags.config(table, func(name string) (string, bool) { v, ok := tc.env[name]; return v, ok })
			said := ""
			if err != nil {
				said, got = err.Error(), httpclient.Config{}
			}
			if diff := cmp.Diff(tc.err, said); diff != "" {
				t.Errorf("%s: error (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.want, got, cmpopts.IgnoreFields(httpclient.Config{}, "Proxy")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
