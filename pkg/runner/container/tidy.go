package container

import "os"

// oomFile is what podman's monitor writes to the directory it is started in when a container runs
// out of memory. That may be the very package that is rendered.
const oomFile = "oom"

// tidy returns what is to be called after a container has run, to remove that file. A file that was
// there before, or that holds anything, is somebody else's.
func tidy(engine string) func() {
	if _, err := os.Lstat(oomFile); engine != "podman" || !os.IsNotExist(err) {
		return func() {}
	}
	return func() {
		if info, err := os.Lstat(oomFile); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
			_ = os.Remove(oomFile)
		}
	}
}
