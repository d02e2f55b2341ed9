package image

import (
	"cmp"
	"debug/elf"
	"fmt"
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
	if _, ok := machines[p]; !ok {
		return Platform{}, fmt.Errorf("platform %q: want one of %s", s, joinPlatforms(Platforms()))
	}
	return p, nil
}

// String returns os/arch, the form that ParsePlatform reads.
func (p Platform) String() string { return p.OS + "/" + p.Arch }

func (p Platform) oci() *v1.Platform { return &v1.Platform{OS: p.OS, Architecture: p.Arch} }

func sortedPlatforms[V any](byPlatform map[Platform]V) []Platform {
	ps := make([]Platform, 0, len(byPlatform))
	for p := range byPlatform {
		ps = append(ps, p)
	}
	slices.SortFunc(ps, func(a, b Platform) int { return cmp.Compare(a.String(), b.String()) })
	return ps
}

func joinPlatforms(ps []Platform) string {
	names := make([]string, len(ps))
	for i, p := range ps {
		names[i] = p.String()
	}
	return strings.Join(names, ", ")
}
