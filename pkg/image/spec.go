package image

import (
	"fmt"

	"github.com/google/go-containerregistry/pkg/name"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// Registry is where the images of this project live; a function's image is named below it.
const Registry = "ghcr.io/waybill-dev"

// Source is the repository that all images are built from.
const Source = "https://github.com/waybill-dev/waybill"

// License is the SPDX licence of every image.
const License = "Apache-2.0"

// UserID is the user and the group of the controller's image. It is a number, because Kubernetes cannot know whether a name
// is that of root.
const UserID = 65532

// Spec says what goes into the images of one function, or of waybill itself.
type Spec struct {
	// Name of the function and of its binary. A DNS label.
	Name string
	// Description in one sentence. Optional.
	Description string
	// Version is the tag the image will go by, such as v0.1.0.
	Version string
	// Documentation is a URL. Defaults to the function's folder in Source.
	Documentation string
	// Types says how pipelines use the function: mutator, validator. Optional.
	Types []string
	// Controller makes it an image that serves instead of one that is called: by default it runs the
	// binary's verb "controller" as UserID, and it knows the authorities that the web trusts.
	Controller bool
	// Binaries holds the static executable of each platform, at least one.
	Binaries map[Platform][]byte
}

var dnsLabel = lazyregexp.New(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// Reference returns the full image name of a function: ghcr.io/waybill-dev/<function>:<tag>.
func Reference(function, tag string) (string, error) {
	if !dnsLabel.MatchString(function) {
		return "", fmt.Errorf("function name %q: want a DNS label (lower case letters, digits, '-')", function)
	}
	ref, err := parseReference(Registry + "/" + function + ":" + tag)
	if err != nil {
		return "", err
	}
	return ref.String(), nil
}

// parseReference insists on a registry and a tag, so that no engine guesses either.
func parseReference(s string) (name.Tag, error) {
	ref, err := name.NewTag(s, name.StrictValidation)
	if err != nil {
		return name.Tag{}, fmt.Errorf("image reference %q: want registry/repository:tag: %w", s, err)
	}
	return ref, nil
}

func (s Spec) validate() error {
	if _, err := Reference(s.Name, s.Version); err != nil {
		return err
	}
	if len(s.Binaries) == 0 {
		return fmt.Errorf("function %q: no binary for any platform", s.Name)
	}
	for _, p := range sortedPlatforms(s.Binaries) {
		if _, err := ParsePlatform(p.String()); err != nil {
			return fmt.Errorf("function %q: %w", s.Name, err)
		}
		if err := checkBinary(s.Binaries[p], p); err != nil {
			return fmt.Errorf("function %q: binary for %s: %w", s.Name, p, err)
		}
	}
	return nil
}
