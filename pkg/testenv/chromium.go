package testenv

import (
	"errors"
	"os/exec"
	"sync"
)

// ChromiumPath is where the browser is: Chromium as Debian calls it, or one of its sisters.
func ChromiumPath() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	return "", errors.New("there is no chromium on the PATH; Debian's package is chromium")
}

// browses has the browser say its version, which tells whether it is there and has the libraries that it wants. It tries
// once and remembers.
var browses = sync.OnceValue(func() error {
	program, err := ChromiumPath()
	if err != nil {
		return err
	}
	return quiet(exec.Command(program, "--version")) // #nosec G204 -- one of three names
})
