package container

import (
	"runtime"

	"github.com/distribution/reference"
)

// Identity names the function for good: where two are equal, the functions give the same output for
// the same input. It is empty where that is not known: of an image that is not pinned by digest, and
// of one that is given more than its input, such as the network, a mount or a variable.
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
	// One digest may stand for an image per architecture.
	return "image " + pinned.Digest().String() + " " + runtime.GOARCH
}
