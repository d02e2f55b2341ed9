package spdx

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"runtime/debug"
	"slices"
	"strings"
)

// Image is an image of one platform, or an index.
type Image struct {
	// Repository is where it lives: ghcr.io/waybill-dev/set-image.
	Repository string
	// Tag is its tag, which is also the version of the program in it.
	Tag string
	// Digest of its manifest: sha256:<hex>.
	Digest string
	// Arch is its architecture; empty for an index.
	Arch string
}

// Binary is an image of one platform, and what is known of the program in it.
type Binary struct {
	Image
	Info *debug.BuildInfo
}

// License is that of the programs of this project, and Source where they come from.
type License struct{ ID, Source string }

// Marshal returns the document that describes an image, which is one of the binaries or the index of them. The same input gives the
// same bytes: the time in a document is always the same.
func Marshal(described Image, binaries []Binary, license License) ([]byte, error) {
	d := newDocument(described, license)
	root := d.addImage(described)
	d.relate(d.ID, "DESCRIBES", root)
	for _, b := range binaries {
		id := root
		if b.Digest != described.Digest {
			id = d.addImage(b.Image)
			d.relate(id, "VARIANT_OF", root)
		}
		d.addProgram(id, b)
	}
	return d.encode()
}

// builder is a document, and the packages that it has.
type builder struct {
	document
	license License
	known   map[string]string // id by package URL
}

func newDocument(described Image, license License) *builder {
	name := path.Base(described.Repository)
	return &builder{known: map[string]string{}, license: license, document: document{
		Version: "SPDX-2.3", DataLicense: "CC0-1.0", ID: "SPDXRef-DOCUMENT",
		Name:      described.Repository + "@" + described.Digest,
		Namespace: fmt.Sprintf("%s/spdx/%s/%s", license.Source, name, strings.ReplaceAll(described.Digest, ":", "-")),
		Creation:  creation{"1970-01-01T00:00:00Z", []string{"Organization: Waybill", "Tool: waybill image build"}},
	}}
}

// encode writes "&" as it is.
func (d *builder) encode() ([]byte, error) {
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	to.SetIndent("", "  ")
	err := to.Encode(d.document)
	return out.Bytes(), err
}

func (d *builder) addImage(i Image) string {
	p := newPackage(d.nextID("Image"), strings.TrimSuffix(path.Base(i.Repository)+" "+i.Arch, " "), i.Tag, i.purl())
	p.Purpose = "CONTAINER"
	if algorithm, hex, ok := strings.Cut(i.Digest, ":"); ok {
		p.Checksums = []checksum{{strings.ToUpper(algorithm), hex}}
	}
	return d.add(p)
}

// addProgram adds the program of an image, and the modules that it is made of.
func (d *builder) addProgram(image string, b Binary) {
	if b.Info == nil {
		return
	}
	program := newPackage(d.nextID("Program"), b.Info.Path, b.Tag, programPURL(b.Info, b.Tag))
	program.LicenseConcluded, program.LicenseDeclared = d.license.ID, d.license.ID
	program.DownloadLocation, program.Purpose = "git+"+d.license.Source, "APPLICATION"
	id := d.addOnce(program)
	d.relate(image, "CONTAINS", id)
	for _, m := range modules(b.Info) {
		dependency := newPackage(d.nextID("Module"), m.Path, m.Version, modulePURL(m.Path, m.Version))
		if m.Sum != "" {
			dependency.SourceInfo = "go.sum " + m.Sum
		}
		d.relate(id, "DEPENDS_ON", d.addOnce(dependency))
	}
}

// nextID returns an identifier that no package has yet.
func (d *builder) nextID(kind string) string {
	return fmt.Sprintf("SPDXRef-%s-%d", kind, len(d.Packages)+1)
}

func (d *builder) add(p pkg) string {
	d.Packages = append(d.Packages, p)
	return p.ID
}

// addOnce adds a package unless one of its package URL is there, and returns the identifier of the one that is.
func (d *builder) addOnce(p pkg) string {
	purl := p.References[0].Locator
	if d.known[purl] == "" {
		d.known[purl] = d.add(p)
	}
	return d.known[purl]
}

func (d *builder) relate(from, kind, to string) {
	if r := (relationship{from, kind, to}); !slices.Contains(d.Relationships, r) {
		d.Relationships = append(d.Relationships, r)
	}
}
