package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

// TestMain keeps the tests away from the cache of the user, and from each other's runs.
func TestMain(m *testing.M) {
	if isWaybill() {
		main()
		os.Exit(exitDone)
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "waybill-cache-")
	if err == nil {
		defer os.RemoveAll(dir)
		err = os.Setenv(cli.CacheDirVariable, dir)
	}
	if err == nil { // approvals have an author
		config := filepath.Join(dir, "gitconfig")
		err = errors.Join(os.WriteFile(config, []byte("[user]\n\tname = Grace\n\temail = grace@example.com\n"), 0o600), os.Setenv("GIT_CONFIG_GLOBAL", config))
	}
	if err == nil {
		buildsDir, err = os.MkdirTemp("", "waybill-build-")
		defer os.RemoveAll(buildsDir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer unloadImages()
	return m.Run()
}
