package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/delegate"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/root"
)

// TestMain keeps the tests away from the cache of the user, and from each other's runs.
func TestMain(m *testing.M) {
	switch self, err := os.Executable(); { // the name in os.Args is that of the program that became this one
	case err == nil && filepath.Base(self) == delegate.Program:
		root.Main(parts)
	case isWaybill():
		main()
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
