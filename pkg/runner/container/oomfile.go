package container

import "os"

// oomFile is a file that podman's monitor writes to its working directory when a container runs
// out of memory. That directory may be the package that is rendered.
const oomFile = "oom"

// removeOOMFile returns a function that removes that file after a container has run. A file that existed
// before, or that is not empty, is not podman's, and stays.
func removeOOMFile(engine string) func() {
	if _, err := os.Lstat(oomFile); engine != "podman" || !os.IsNotExist(err) {
		return func() {}
	}
	return func() {
		if info, err := os.Lstat(oomFile); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
			_ = os.Remove(oomFile)
		}
	}
}
