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

// What a function may use when nobody said.
const (
	DefaultMemory    = 2 << 30
	DefaultProcesses = 256
)

// leastMemory is what engines need to start any container.
const leastMemory = 16 << 20

func (o Options) withDefaults() Options {
	o.Limits.Memory = cmp.Or(o.Limits.Memory, DefaultMemory)
	o.Limits.Time = cmp.Or(o.Limits.Time, 5*time.Minute)
	o.Processes = cmp.Or(o.Processes, DefaultProcesses)
	return o
}

func (o Options) checkBounds() error {
	switch {
	case o.Limits.Memory < leastMemory:
		return fmt.Errorf("a memory limit of %d bytes: a container needs %d or more", o.Limits.Memory, leastMemory)
	case o.Limits.Time < 0:
		return fmt.Errorf("a time limit of %s: want one that is longer than none", o.Limits.Time)
	case o.Processes < 0:
		return fmt.Errorf("a limit of %d processes: want one or more", o.Processes)
	}
	return nil
}

// cage is what keeps a container in bounds: kpt's flags first, then the stricter ones.
func (o Options) cage() []string {
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
	return append(args, o.cageOfEngine()...)
}

// tmp is a folder for everybody, whatever the mode of the image's own /tmp is. There are versions of
// runc (before 1.1.8) that keep that mode all the same; podman can make the folder the user's.
func (o Options) tmp() string {
	options := "/tmp:rw,nosuid,nodev,noexec,mode=1777,size=" + o.memory()
	if o.Engine == "podman" {
		options += ",U"
	}
	return options
}

func (o Options) memory() string { return strconv.FormatInt(o.Limits.Memory, 10) }

// limits are the bounds that the engine has the kernel keep. Memory with swap is limited to the
// same: no more than that in all.
func (o Options) limits() []string {
	return []string{"--pids-limit", strconv.Itoa(o.Processes), "--memory", o.memory(), "--memory-swap", o.memory()}
}

// noCgroups holds the engines that were found to have no say over cgroups.
var noCgroups sync.Map

// aboutCgroups reports whether an engine that ran nothing says that it was for want of cgroups.
func aboutCgroups(stderr []byte) bool { return bytes.Contains(stderr, []byte("cgroup")) }

// afterAll is how much longer than we wait podman lets a container run that we can no longer stop,
// because we were killed ourselves.
const afterAll = 10 * time.Second

// cageOfEngine is what not every engine has. Without a log the engine does not keep what passes
// through a function, Secrets included.
func (o Options) cageOfEngine() []string {
	switch o.Engine {
	case "podman":
		seconds := (o.Limits.Time + afterAll + time.Second - 1) / time.Second
		return []string{"--log-driver=none", "--read-only-tmpfs=false",
			"--image-volume=ignore", // else an image could declare a folder of the disk as its own
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
