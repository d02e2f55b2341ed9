package container

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The default limits of a function.
const (
	DefaultMemory    = 2 << 30
	DefaultProcesses = 256
)

// minMemory is what engines need to start any container.
const minMemory = 16 << 20

func (o Options) withDefaults() Options {
	o.Limits.Memory = cmp.Or(o.Limits.Memory, DefaultMemory)
	o.Limits.Time = cmp.Or(o.Limits.Time, 5*time.Minute)
	o.Processes = cmp.Or(o.Processes, DefaultProcesses)
	return o
}

func (o Options) checkBounds() error {
	switch {
	case o.Limits.Memory < minMemory:
		return fmt.Errorf("a memory limit of %d bytes: a container needs %d or more", o.Limits.Memory, minMemory)
	case o.Limits.Time < 0:
		return fmt.Errorf("a time limit of %s: want one above zero", o.Limits.Time)
	case o.Processes < 0:
		return fmt.Errorf("a limit of %d processes: want one or more", o.Processes)
	}
	return nil
}

// isolation are the flags that isolate a container: kpt's flags first, then the stricter ones.
func (o Options) isolation() []string {
	network, user := "none", "nobody"
	if o.AllowNetwork {
		network = "host"
	}
	if o.AsCurrentUser {
		user = fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid())
	}
	args := []string{"--network", network, "--user", user, "--security-opt=no-new-privileges",
		"--read-only", "--cap-drop=ALL"}
	if !o.mountsOn("/tmp") {
		args = append(args, "--tmpfs", o.tmp())
	}
	return append(args, o.engineOptions()...)
}

// tmp is a /tmp that any user may write to, whatever the mode of the image's own /tmp is. Versions of
// runc before 1.1.8 keep that mode; podman can make the user the owner.
func (o Options) tmp() string {
	options := "/tmp:rw,nosuid,nodev,noexec,mode=1777,size=" + o.memory()
	if o.Engine == "podman" {
		options += ",U"
	}
	return options
}

func (o Options) memory() string { return strconv.FormatInt(o.Limits.Memory, 10) }

// limits are the limits that the kernel enforces. The limit on memory with swap is the same as that on memory.
func (o Options) limits() []string {
	return []string{"--pids-limit", strconv.Itoa(o.Processes), "--memory", o.memory(), "--memory-swap", o.memory()}
}

// noCgroups holds the engines that cannot use cgroups.
var noCgroups sync.Map

// mentionsCgroups reports whether an engine failed because it cannot use cgroups.
func mentionsCgroups(stderr []byte) bool { return bytes.Contains(stderr, []byte("cgroup")) }

// podmanGrace is added to the time limit that podman enforces itself, in case this process is killed and cannot
// stop the container.
const podmanGrace = 10 * time.Second

// engineOptions are flags that not every engine has. Without a log the engine does not keep the input and output
// of a function, Secrets included.
func (o Options) engineOptions() []string {
	switch o.Engine {
	case "podman":
		seconds := (o.Limits.Time + podmanGrace + time.Second - 1) / time.Second
		return []string{"--log-driver=none", "--read-only-tmpfs=false",
			"--image-volume=ignore", // else an image could declare a writable folder on the disk
			"--timeout", strconv.FormatInt(int64(seconds), 10),
			"--http-proxy=" + strconv.FormatBool(o.AllowNetwork)} // its address may hold a password
	case "docker":
		return []string{"--log-driver=none"}
	}
	return nil
}

// mountsOn reports whether the user mounts something at dir.
func (o Options) mountsOn(dir string) bool {
	return slices.ContainsFunc(o.Mounts, func(spec string) bool {
		for part := range strings.SplitSeq(spec, ",") {
			key, value, _ := strings.Cut(part, "=")
			if slices.Contains([]string{"target", "dst", "destination"}, key) && path.Clean(value) == dir {
				return true
			}
		}
		return false
	})
}

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
