package local_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// Contents of packages, upstream and down, as far as this test edits them. greeting and colour are fields
// of one object, extra and mine are objects, notes and README plain files, about is in the Kptfile.
var (
	upstreamKeys = []string{"greeting", "colour", "extra", "notes", "README", "about"}
	localKeys    = append([]string{"mine"}, upstreamKeys...)
	fileOf       = map[string]string{"extra": "extra.yaml", "mine": "mine.yaml", "notes": "NOTES.txt", "README": "README.md"}
	optional     = []string{"colour", "extra", "mine", "notes"}
)

// parse reads YAML of a draft; what cannot be read is empty.
func parse(text string) (out map[string]any) {
	if yaml.Unmarshal([]byte(text), &out) != nil {
		return nil
	}
	return out
}

// at is a value in parsed YAML, "" when it is not there.
func at(v any, path ...string) string {
	for _, name := range path {
		fields, _ := v.(map[string]any)
		v = fields[name]
	}
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// get is what files hold of a key, "" when they do not.
func get(files map[string]string, key string) string {
	switch key {
	case "greeting", "colour":
		return at(parse(files["app.yaml"]), "data", key)
	case "extra", "mine":
		return at(parse(files[fileOf[key]]), "data", "greeting")
	case "about":
		return at(parse(files["Kptfile"]), "info", "description")
	}
	return strings.TrimSpace(files[fileOf[key]])
}

// put changes a key in files; "" takes it away.
func put(files map[string]string, key, value string) {
	file := fileOf[key]
	switch key {
	case "greeting":
		files["app.yaml"] = withLine(files["app.yaml"], key, value)
	case "about":
		files["Kptfile"] = withLine(files["Kptfile"], "description", value)
	case "colour":
		files["app.yaml"] = regexp.MustCompile(`(?m)^  colour: .*\n`).ReplaceAllString(files["app.yaml"], "")
		if value != "" {
			files["app.yaml"] = strings.Replace(files["app.yaml"], "\ndata:\n", "\ndata:\n  colour: "+value+"\n", 1)
		}
	case "extra", "mine":
		if old, there := files[file]; there && value != "" {
			files[file] = withLine(old, "greeting", value)
		} else {
			files[file] = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + key + "\ndata:\n  greeting: " + value + "\n"
		}
	default:
		files[file] = value + "\n"
	}
	if file != "" && value == "" {
		delete(files, file)
	}
}

// withLine gives the one line of a field another value, and leaves its comment.
func withLine(text, field, value string) string {
	return regexp.MustCompile(`(?m)^(  `+field+`: )("[^"]*"|[^#\n]*?)( #.*)?$`).ReplaceAllString(text, "${1}"+value+"${3}")
}

// changes are the files of a commit below dir that makes was into is.
func changes(dir string, was, is map[string]string) map[string]*string {
	out := map[string]*string{}
	for name := range was {
		if _, stays := is[name]; !stays {
			out[dir+"/"+name] = nil
		}
	}
	for name, text := range is {
		if was[name] != text {
			out[dir+"/"+name] = &text
		}
	}
	return out
}

// merged3 is what a merge must make of each key, and the keys on which it must not decide.
func merged3(base, theirs, ours map[string]string) (want map[string]string, conflicts []string) {
	want = map[string]string{}
	for _, key := range localKeys {
		b, t, o := get(base, key), get(theirs, key), get(ours, key)
		switch {
		case o == b:
			want[key] = t
		case t == b || t == o:
			want[key] = o
		default:
			conflicts = append(conflicts, key)
		}
	}
	return want, conflicts
}

// keysOf are all keys of files that this test edits.
func keysOf(files map[string]string) map[string]string {
	out := map[string]string{}
	for _, key := range localKeys {
		out[key] = get(files, key)
	}
	return out
}

// functionsOf are the functions that a variant put into a Kptfile, each with its config.
func functionsOf(files map[string]string, variant string) (out []string) {
	pipeline, _ := parse(files["Kptfile"])["pipeline"].(map[string]any)
	mutators, _ := pipeline["mutators"].([]any)
	for _, f := range mutators {
		if strings.HasPrefix(at(f, "name"), "PackageVariant."+variant+".") {
			out = append(out, at(f, "name")+" "+at(f, "configMap", "region"))
		}
	}
	return out
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
