package image

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// Function is a function of a checkout, as its folder functions/<name> describes it, or waybill itself.
type Function struct {
	Name string
	// Package is the path to compile, relative to the checkout: ./functions/<name>.
	Package string
	// Controller says that it is waybill itself, whose image runs the controller.
	Controller bool
	// Description, Documentation and Types come from metadata.yaml and are empty without it.
	Description   string
	Documentation string
	Types         []string
	// LinkerFlags set variables of the program, as in go build -ldflags. They are empty for what Discover finds.
	LinkerFlags string
}

// metadata is metadata.yaml as the kpt function catalogue writes it.
type metadata struct {
	Image              string   `json:"image"`
	Description        string   `json:"description"`
	Tags               []string `json:"tags"`
	SourceURL          string   `json:"sourceURL"`
	ExamplePackageURLs []string `json:"examplePackageURLs"`
	Emails             []string `json:"emails"`
	License            string   `json:"license"`
	Hidden             bool     `json:"hidden"`
}

// Discover returns what the checkout in dir has images of, sorted by name: every folder of
// functions/ with a main.go, and waybill where there is its program. A folder with metadata.yaml alone is an error, and so is a
// metadata.yaml that contradicts its folder; folders that start with a dot or an underscore are
// not looked at, as everywhere in Go.
func Discover(dir string) ([]Function, error) {
	entries, err := os.ReadDir(filepath.Join(dir, "functions"))
	if err != nil {
		return nil, fmt.Errorf("find functions: %w", err)
	}
	var found []Function
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_") {
			continue
		}
		f, err := readFunction(dir, e.Name())
		if err != nil {
			return nil, fmt.Errorf("functions/%s: %w", e.Name(), err)
		}
		if f != nil {
			found = append(found, *f)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, waybill.Package, "main.go")); err == nil {
		found = append(found, waybill)
	}
	slices.SortFunc(found, func(a, b Function) int { return strings.Compare(a.Name, b.Name) })
	return found, nil
}

// readFunction returns nil for a folder that is no function's.
func readFunction(dir, name string) (*Function, error) {
	folder := filepath.Join(dir, "functions", name)
	raw, err := os.ReadFile(filepath.Join(folder, "metadata.yaml"))
	described := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	switch _, err := os.Stat(filepath.Join(folder, "main.go")); {
	case errors.Is(err, fs.ErrNotExist) && described:
		return nil, errors.New("has metadata.yaml but no main.go")
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return parseFunction(name, raw)
}

// parseFunction makes a Function of its folder's name and its metadata.yaml, which may be empty.
func parseFunction(name string, raw []byte) (*Function, error) {
	if !dnsLabel.MatchString(name) {
		return nil, errors.New("folder name: want a DNS label (lower case letters, digits, '-')")
	}
	var m metadata
	if err := yaml.UnmarshalStrict(raw, &m); err != nil {
		return nil, fmt.Errorf("metadata.yaml: %s", strings.Join(strings.Fields(err.Error()), " "))
	}
	if err := m.agrees(name); err != nil {
		return nil, fmt.Errorf("metadata.yaml: %w", err)
	}
	return &Function{
		Name: name, Package: "./functions/" + name,
		Description: m.Description, Documentation: m.SourceURL, Types: m.types(),
	}, nil
}

func (m metadata) agrees(name string) error {
	if want := Registry + "/" + name; m.Image != "" && m.Image != want {
		return fmt.Errorf("image %q: want %q", m.Image, want)
	}
	if m.License != "" && m.License != License {
		return fmt.Errorf("license %q: want %q", m.License, License)
	}
	return nil
}

// types returns those tags that say where in a pipeline the function belongs.
func (m metadata) types() []string {
	return slices.DeleteFunc(slices.Clone(m.Tags), func(tag string) bool { return tag != "mutator" && tag != "validator" })
}
