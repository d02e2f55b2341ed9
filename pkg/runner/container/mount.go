package container

import (
	"fmt"
	"slices"
	"strings"
)

// mountTypes are the kinds of mounts that engines support and functions can use.
var mountTypes = []string{"bind", "volume", "tmpfs"}

// CheckMount returns an error for a mount that an engine would refuse.
func CheckMount(spec string) error {
	_, err := mount(spec)
	return err
}

// mount is a mount in the syntax of engines. It is read-only by default, unlike in engines.
func mount(spec string) (string, error) {
	given := map[string]string{}
	for part := range strings.SplitSeq(spec, ",") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "src":
			key = "source"
		case "dst", "destination":
			key = "target"
		case "type", "source", "target", "rw":
		default:
			return "", fmt.Errorf("mount %q: unknown option %q, want type, src, dst and rw", spec, key)
		}
		if _, twice := given[key]; twice || value == "" {
			return "", fmt.Errorf("mount %q: want one value for %s", spec, key)
		}
		given[key] = value
	}
	if !slices.Contains(mountTypes, given["type"]) {
		return "", fmt.Errorf("mount %q: want type=%s", spec, strings.Join(mountTypes, "|"))
	}
	if given["target"] == "" {
		return "", fmt.Errorf("mount %q: want dst=PATH, the path in the container", spec)
	}
	if (given["source"] == "") != (given["type"] == "tmpfs") {
		return "", fmt.Errorf("mount %q: want src for a bind or a volume, and none for a tmpfs", spec)
	}
	if rw := given["rw"]; rw != "" && rw != "true" && rw != "false" {
		return "", fmt.Errorf("mount %q: want rw=true or rw=false", spec)
	}
	return mountOption(given), nil
}

func mountOption(given map[string]string) string {
	out := "type=" + given["type"]
	if given["source"] != "" {
		out += ",source=" + given["source"]
	}
	out += ",target=" + given["target"]
	if given["rw"] != "true" {
		out += ",readonly"
	}
	return out
}

// CheckEnv returns an error for a variable that cannot be passed to a function.
func CheckEnv(variable string) error {
	if name, _, _ := strings.Cut(variable, "="); name == "" || strings.ContainsAny(name, " \t\n\x00") {
		return fmt.Errorf("environment variable: %q is no name", name) // the value may be a secret
	}
	return nil
}

func (o *Options) mountsAndEnv() (args []string, err error) {
	for _, spec := range o.Mounts {
		m, err := mount(spec)
		if err != nil {
			return nil, err
		}
		args = append(args, "--mount", m)
	}
	for _, v := range o.Env {
		if err := CheckEnv(v); err != nil {
			return nil, err
		}
		args = append(args, "-e", v)
	}
	return args, nil
}
