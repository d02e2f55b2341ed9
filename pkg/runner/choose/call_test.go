package choose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
)

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"

// TestCaller holds that functions call others by the rules they run by themselves.
func TestCaller(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	write := func(script string) {
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script), 0o700); err != nil { // #nosec G306 -- it is run
			t.Fatal(err)
		}
	}
	cases := map[string]struct {
		reason string
		opts   Options
		callee fn.Callee
		script string
		items  int
		said   string // by Check, Call or a result
	}{
		"refused": {"programs run only when allowed", Options{}, fn.Callee{Exec: program}, "cat", 0, "--allow-exec"},
		"program": {"and then they do", Options{AllowExec: true}, fn.Callee{Exec: program}, "cat", 1, ""},
		"linked":  {"an image that is linked in needs no engine", Options{Runtime: "inproc"}, fn.Callee{Image: catalog.Image("combine-status")}, "", 1, ""},
		"unknown": {"one that is not does", Options{Runtime: "inproc"}, fn.Callee{Image: "other:v1"}, "", 0, "not linked into this binary"},
		"fails":   {"all that a program says of its failure is kept", Options{AllowExec: true}, fn.Callee{Exec: program}, "echo too >&2; echo bad >&2; exit 3", 0, `program": exit status 3: too bad`},
		"silent":  {"or that it says nothing", Options{AllowExec: true}, fn.Callee{Exec: program}, "exit 3", 0, `program": exit status 3: it printed no error`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			write(c.script)
			made, err := c.opts.Factory()
			if err != nil {
				t.Fatal(err)
			}
			call := caller{made.(factory)}
			if err := call.Check(c.callee); err != nil {
				if c.said == "" || !strings.Contains(err.Error(), c.said) {
					t.Errorf("%s: Check: %v, want %q", c.reason, err, c.said)
				}
				return
			}
			out, err := call.Call(t.Context(), c.callee, &fn.Input{Items: fntest.Parse(t, "a.yaml", []byte(configMap))})
			switch {
			case err != nil:
				if c.said == "" || !strings.Contains(err.Error(), c.said) {
					t.Errorf("%s: Call: %v, want %q", c.reason, err, c.said)
				}
			case len(out.Items) != c.items || c.said != "":
				t.Errorf("%s: %d items, want %d", c.reason, len(out.Items), c.items)
			}
		})
	}
}
