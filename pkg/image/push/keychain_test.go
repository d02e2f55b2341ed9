package push

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// home is the folder of the user, one for all tests, because the library remembers it.
var home string

func TestMain(m *testing.M) {
	var err error
	if home, err = os.MkdirTemp("", "waybill-home-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(home)
	os.Exit(code)
}

// TestCredentials finds the password where docker and podman keep it.
func TestCredentials(t *testing.T) {
	r, stored := newRegistry(t), store(t)
	auths := fmt.Sprintf(`{"auths": {%q: {"auth": %q}}}`, r.host(), base64.StdEncoding.EncodeToString([]byte(user+":"+password)))
	helpers := fmt.Sprintf(`{"credHelpers": {%q: "waybill-test"}}`, r.host())
	for name, tc := range map[string]struct {
		file, text, variable, value string
		fails                       bool
	}{
		"docker":             {file: "~/.docker/config.json", text: auths},
		"DOCKER_CONFIG":      {file: "elsewhere/config.json", text: auths, variable: "DOCKER_CONFIG", value: "elsewhere"},
		"helper":             {file: "~/.docker/config.json", text: helpers},
		"podman":             {file: "~/.config/containers/auth.json", text: auths},
		"REGISTRY_AUTH_FILE": {file: "auth.json", text: auths, variable: "REGISTRY_AUTH_FILE", value: "auth.json"},
		"XDG_RUNTIME_DIR":    {file: "run/containers/auth.json", text: auths, variable: "XDG_RUNTIME_DIR", value: "run"},
		"nothing":            {file: "~/.docker/config.json", text: "{}", fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "helper" && runtime.GOOS == "windows" {
				t.Skip("the helper is a shell script")
			}
			dir := t.TempDir()
			file := filepath.Join(dir, tc.file)
			if inHome, ok := strings.CutPrefix(tc.file, "~/"); ok {
				file = filepath.Join(home, inHome)
			}
			write(t, file, tc.text, 0o600)
			t.Cleanup(func() { _ = os.Remove(file) })
			write(t, filepath.Join(dir, "bin/docker-credential-waybill-test"),
				fmt.Sprintf("#!/bin/sh\nprintf '{\"Username\": \"%s\", \"Secret\": \"%s\"}'\n", user, password), 0o700)
			t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
			for _, variable := range []string{"DOCKER_CONFIG", "REGISTRY_AUTH_FILE", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"} {
				t.Setenv(variable, "")
			}
			t.Setenv("HOME", home)
			if tc.variable != "" {
				t.Setenv(tc.variable, filepath.Join(dir, tc.value))
			}
			_, err := send(t, newPusher(t, r, func(o *Options) { o.Keychain = nil }), stored)
			if (err != nil) != tc.fails {
				t.Errorf("want failure %v, got %v", tc.fails, err)
			}
		})
	}
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
