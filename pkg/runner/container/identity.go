package container

import (
	"runtime"

	"github.com/distribution/reference"
)

// Identity identifies the function: if two are equal, the functions give the same output for
// the same input. It is empty when that is not known: for an image without a digest, and
// for one that gets more than its input, such as the network, a mount or a variable.
func (f *Function) Identity() string {
	o := f.opts
	if o.AllowNetwork || o.AsCurrentUser || len(o.Mounts)+len(o.Env) > 0 {
		return ""
	}
	ref, err := reference.ParseNormalizedNamed(f.image)
	if err != nil {
		return ""
	}
	pinned, ok := ref.(reference.Canonical)
	if !ok {
		return ""
	}
	// One digest may name an image for each architecture.
	return "image " + pinned.Digest().String() + " " + runtime.GOARCH
}
