// Package testenv skips or fails a check that needs a program beyond Go which is missing.
//
// A laptop without the part skips the check, loudly and by name. Where WAYBILL_REQUIRE lists the part
// (CI sets WAYBILL_REQUIRE=git,kpt,podman,sshd,apiserver,ocm,porch,flux,registry,chromium,dot,hugo,helm,goreleaser,release,cosign), its
// absence fails the check instead, so that a green run can never hide a check that did not happen.
//
// A short run (WAYBILL_SHORT=1, make test) leaves out what needs a part other than Git, and what takes long by itself,
// and tries a fifth of the random cases.
package testenv

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Part is a real program that some checks use.
type Part string

// The parts that checks may ask for. The names are those WAYBILL_REQUIRE takes.
const (
	Git       Part = "git"
	Kpt       Part = "kpt"
	Podman    Part = "podman"
	SSHD      Part = "sshd"
	APIServer Part = "apiserver"
	OCM       Part = "ocm"
	Porch     Part = "porch"
	Flux      Part = "flux"
	Registry  Part = "registry"
	Chromium  Part = "chromium"
	Graphviz  Part = "dot"
	Hugo      Part = "hugo"
	Helm      Part = "helm"
	Releaser  Part = "goreleaser"
	Release   Part = "release"
	Cosign    Part = "cosign"
)

// probes check that each part works here, not just that it is installed.
var probes = map[Part]func() error{
	Git:       git,
	Kpt:       func() error { return quiet(exec.Command("kpt", "version")) },
	Podman:    runsContainers,
	SSHD:      acceptsSSH,
	APIServer: APIServerPrograms.probe(),
	OCM:       OCMPrograms.probe(),
	Porch:     PorchPrograms.probe(),
	Flux:      FluxPrograms.probe(),
	Registry:  RegistryPrograms.probe(),
	Chromium:  browses,
	Graphviz:  func() error { return quiet(exec.Command("dot", "-V")) },
	Hugo:      buildsSites,
	Helm:      func() error { _, err := HelmProgram(); return err },
	Releaser:  makesReleases,
	Release:   func() error { _, err := ReleaseDir(); return err },
	Cosign:    func() error { _, err := CosignProgram(); return err },
}

// sources say how to install the parts whose probes do not.
var sources = map[Part]string{
	Git: "install git", Kpt: "https://kpt.dev/installation has it", Podman: "install podman and runc, then source .ci/podman-setup",
	SSHD: "install openssh-server", Chromium: "install chromium", Graphviz: "install graphviz",
	Hugo: "the Go module proxy has it", Helm: "the Go module proxy has it", Releaser: "the Go module proxy has it",
	Release: "make release-snapshot builds it", Cosign: "the Go module proxy has it",
}

// Need skips t unless every part works here, and in a short run where it needs more than Git. A part named in
// WAYBILL_REQUIRE must work, in a short run, too: t fails when it does not, and also when WAYBILL_REQUIRE
// names something that is no part, which would otherwise require nothing.
func Need(t testing.TB, parts ...Part) {
	t.Helper()
	for _, name := range required() {
		if probes[Part(name)] == nil {
			t.Fatalf("WAYBILL_REQUIRE names %q, which is none of %v", name, slices.Sorted(maps.Keys(probes)))
		}
	}
	for _, p := range parts {
		if probes[p] == nil {
			t.Fatalf("%q is none of %v", p, slices.Sorted(maps.Keys(probes)))
		}
		if p != Git && !Required(p) {
			Long(t, "needs "+string(p))
		}
		if err := probes[p](); err != nil {
			reportMissing(t, p, err.Error())
		}
	}
}

// gits caches the paths of working git programs: hundreds of tests of a package need one.
var gits sync.Map

func git() error {
	path, err := exec.LookPath("git")
	if err != nil {
		return err
	}
	if _, ok := gits.Load(path); ok {
		return nil
	}
	err = quiet(exec.Command(path, "--version")) // #nosec G204 -- the git of the PATH
	if err == nil {
		gits.Store(path, true)
	}
	return err
}

// Short reports whether this is a short run: WAYBILL_SHORT is set.
func Short() bool { return os.Getenv("WAYBILL_SHORT") != "" }

// Long skips t in a short run. The reason says what takes long.
func Long(t testing.TB, reason string) {
	t.Helper()
	if Short() {
		t.Skipf("SKIPPED: left out of the short run: %s", reason)
	}
}

func reportMissing(t testing.TB, p Part, why string) {
	t.Helper()
	if source := sources[p]; source != "" {
		why += "; " + source
	}
	if Required(p) {
		t.Fatalf("WAYBILL_REQUIRE names %s, which does not work here: %s", p, why)
	}
	t.Skipf("SKIPPED: this check needs a working %s: %s", p, why)
}

// Required reports whether WAYBILL_REQUIRE names p.
func Required(p Part) bool {
	return slices.Contains(required(), string(p))
}

// required is what WAYBILL_REQUIRE names; blanks around the names do not count.
func required() (names []string) {
	for name := range strings.SplitSeq(os.Getenv("WAYBILL_REQUIRE"), ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}
