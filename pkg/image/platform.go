package image

import (
	"cmp"
	"debug/elf"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// Platform is an operating system and an architecture, in Go's and OCI's common spelling.
type Platform struct{ OS, Arch string }

// machines lists the platforms functions are built for and what their binaries must be.
var machines = map[Platform]elf.Machine{
	{"linux", "amd64"}: elf.EM_X86_64,
	{"linux", "arm64"}: elf.EM_AARCH64,
}

// Platforms returns every platform that Build accepts, sorted. The slice is the caller's.
func Platforms() []Platform { return sortedPlatforms(machines) }

// HostPlatform returns the platform whose containers run here. On a Mac or on Windows that is the
// Linux of the container engine's virtual machine, hence always linux.
func HostPlatform() Platform { return Platform{"linux", runtime.GOARCH} }

// ParsePlatform reads the form os/arch and refuses platforms that Build does not accept.
func ParsePlatform(s string) (Platform, error) {
	os, arch, _ := strings.Cut(s, "/")
	p := Platform{os, arch}
	if _, ok := machines[p]; ok {
		return p, nil
	}
	var known []string
	for _, p := range Platforms() {
		known = append(known, p.String())
	}
	return Platform{}, fmt.Errorf("platform %q: want one of %s", s, strings.Join(known, ", "))
}

// String returns os/arch, the form that ParsePlatform reads.
func (p Platform) String() string { return p.OS + "/" + p.Arch }

func (p Platform) oci() *v1.Platform { return &v1.Platform{OS: p.OS, Architecture: p.Arch} }

func sortedPlatforms[V any](byPlatform map[Platform]V) []Platform {
	return slices.SortedFunc(maps.Keys(byPlatform), func(a, b Platform) int { return cmp.Compare(a.String(), b.String()) })
}
