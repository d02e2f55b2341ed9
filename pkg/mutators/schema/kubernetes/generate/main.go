// Command generate writes the schemas of the given releases of Kubernetes to schemas.json.gz: what k8s.io/kubernetes publishes
// in api/openapi-spec/swagger.json, without descriptions. It reads the releases through the Go module proxy.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
)

// file is the format of schemas.json.gz.
type file struct {
	Minors      []string             `json:"minors"` // oldest first
	Definitions map[string][]variant `json:"definitions"`
}

// variant is a definition as the minors from index First to Last have it.
type variant struct {
	First  int            `json:"first"`
	Last   int            `json:"last"`
	Schema map[string]any `json:"schema"`
}

// kept are the keywords that a validator needs, and the kind that a definition is for.
var kept = []string{
	"$ref", "type", "format", "properties", "required", "items", "additionalProperties", "enum", "pattern", "minimum", "maximum",
	"x-kubernetes-group-version-kind", "x-kubernetes-preserve-unknown-fields",
}

var minor = regexp.MustCompile(`^v(\d+\.\d+)\.`)

func main() {
	out := file{Definitions: map[string][]variant{}}
	for i, release := range os.Args[1:] {
		out.Minors = append(out.Minors, minor.FindStringSubmatch(release)[1])
		for name, schema := range definitions(release) {
			out.add(i, name, strip(schema))
		}
	}
	data, err := json.Marshal(out)
	check(err)
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	check(err)
	_, err = w.Write(data)
	check(err)
	check(w.Close())
	check(os.WriteFile("schemas.json.gz", packed.Bytes(), 0o644))
}

// add adds a definition of minor i, to the variant of the minor before when it is the same.
func (f *file) add(i int, name string, schema map[string]any) {
	all := f.Definitions[name]
	if n := len(all); n > 0 && all[n-1].Last == i-1 && reflect.DeepEqual(all[n-1].Schema, schema) {
		all[n-1].Last = i
		return
	}
	f.Definitions[name] = append(all, variant{i, i, schema})
}

func definitions(release string) map[string]map[string]any {
	cmd := exec.Command("go", "mod", "download", "-json", "k8s.io/kubernetes@"+release)
	cmd.Stderr = os.Stderr
	printed, err := cmd.Output()
	check(err)
	var module struct{ Dir string }
	check(json.Unmarshal(printed, &module))
	data, err := os.ReadFile(filepath.Join(module.Dir, "api", "openapi-spec", "swagger.json"))
	check(err)
	var swagger struct {
		Definitions map[string]map[string]any `json:"definitions"`
	}
	check(json.Unmarshal(data, &swagger))
	return swagger.Definitions
}

// strip is a schema with the keywords that are kept.
func strip(schema map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range schema {
		if !slices.Contains(kept, key) {
			continue
		}
		below, isSchema := value.(map[string]any)
		switch {
		case key == "properties":
			properties := map[string]any{}
			for name, p := range below {
				properties[name] = strip(p.(map[string]any))
			}
			value = properties
		case isSchema:
			value = strip(below)
		}
		out[key] = value
	}
	return out
}

func check(err error) {
	if err != nil {
		log.Fatal(fmt.Errorf("generate: %w", err))
	}
}
