package publish

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	kubeversion "k8s.io/apimachinery/pkg/version"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// approvedAnnotation is required by API servers on definitions of Kubernetes' own groups.
const approvedAnnotation = "api-approved.kubernetes.io"

// Project is the definition that consumers see: the selected versions, renamed, with the names and the scope of the
// projection. Names that are missing get the defaults of an API server. An error says why there is nothing to publish.
func Project(crd *krm.Object, pr *waybill.PublishedResource) (*krm.Object, error) {
	d, err := project(crd, pr)
	if err != nil {
		return nil, err
	}
	return d.write()
}

func project(crd *krm.Object, pr *waybill.PublishedResource) (*definition, error) {
	d, err := readDefinition(crd)
	if err != nil {
		return nil, err
	}
	if kind, want := d.name("kind"), pr.Spec.Resource; d.group != want.APIGroup || kind != want.Kind {
		return nil, fmt.Errorf("%s: want the definition of %s.%s, this is that of %s.%s", crd.Describe(), want.Kind, want.APIGroup, kind, d.group)
	}
	p := pr.Spec.Projection
	if p == nil {
		p = &waybill.PublishedProjection{}
	}
	if err := d.projectVersions(pr.Versions(), p); err != nil {
		return nil, fmt.Errorf("%s: %w", crd.Describe(), err)
	}
	d.projectNames(p)
	return d, nil
}

// projectVersions are the first three steps: select versions, check them, rename them.
func (d *definition) projectVersions(selected []string, p *waybill.PublishedProjection) error {
	if selected != nil {
		d.versions = slices.DeleteFunc(d.versions, func(v version) bool { return !slices.Contains(selected, v.name) })
	}
	if len(d.versions) == 0 {
		return fmt.Errorf("it has none of the selected versions %s", strings.Join(selected, ", "))
	}
	last := -1
	for i, v := range d.versions {
		if v.served {
			last = i
		}
	}
	if last < 0 {
		return errors.New("no selected version is served")
	}
	if d.stored().fields == nil {
		d.versions[last].storage = true
	}
	return d.renameVersions(p)
}

func (d *definition) renameVersions(p *waybill.PublishedProjection) error {
	switch {
	case p.Version != "" && len(p.Versions) > 0:
		return errors.New("the projection has version and versions; it may have one of them")
	case p.Version != "" && len(d.versions) > 1:
		return fmt.Errorf("the projection has one version, %s, for %d; use versions", p.Version, len(d.versions))
	case p.Version != "":
		d.versions[0].name = p.Version
		return nil
	case len(p.Versions) == 0:
		return nil
	}
	from := map[string]string{}
	for i := range d.versions {
		v := &d.versions[i]
		if name := p.Versions[v.name]; name != "" {
			v.name = name
		}
		if other, taken := from[v.name]; taken {
			return fmt.Errorf("the projection calls both %s and %s %s", other, v.original, v.name)
		}
		from[v.name] = v.original
	}
	slices.SortStableFunc(d.versions, func(a, b version) int { return kubeversion.CompareKubeAwareVersionStrings(a.name, b.name) })
	return nil
}

// projectNames is the fourth step: the group, the kind and the names that follow it, the scope, and short names and
// categories, which an empty list removes.
func (d *definition) projectNames(p *waybill.PublishedProjection) {
	d.names = maps.Clone(d.names)
	if p.Group != "" {
		d.group = p.Group
	}
	if p.Kind != "" {
		singular := strings.ToLower(p.Kind)
		maps.Copy(d.names, map[string]any{"kind": p.Kind, "listKind": p.Kind + "List", "singular": singular, "plural": singular + "s"})
	}
	if p.Plural != "" {
		d.names["plural"] = p.Plural
	}
	if p.Scope != "" {
		d.spec["scope"] = p.Scope
	}
	d.setList("shortNames", p.ShortNames)
	d.setList("categories", p.Categories)
	for name, usual := range map[string]string{"listKind": d.name("kind") + "List", "singular": strings.ToLower(d.name("kind"))} {
		if d.name(name) == "" {
			d.names[name] = usual
		}
	}
}

// setList sets a list of names: nil keeps the existing list, and an empty one removes it.
func (d *definition) setList(name string, words []string) {
	if words != nil {
		d.names[name] = words
	}
	asStrings, _ := d.names[name].([]string)
	asValues, isList := d.names[name].([]any)
	if (isList || words != nil) && len(asStrings)+len(asValues) == 0 {
		delete(d.names, name)
	}
}

// document is an object as it is written.
type document struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Metadata   metadata `json:"metadata"`
	Spec       any      `json:"spec"`
}

type metadata struct {
	Name        string            `json:"name"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	Generation  int64             `json:"generation,omitempty"`
}

// write is the fifth step: the name of the definition, and the metadata that schemas need.
func (d *definition) write() (*krm.Object, error) {
	var versions []any
	for _, v := range d.versions {
		fields := maps.Clone(v.fields)
		fields["name"], fields["served"], fields["storage"] = v.name, v.served, v.storage
		versions = append(versions, fields)
	}
	spec := maps.Clone(d.spec)
	spec["group"], spec["names"], spec["versions"] = d.group, d.names, versions
	out := document{APIVersion: definitionAPIVersion, Kind: definitionKind, Spec: spec}
	out.Metadata.Name = d.resource()
	if approved := d.object.Annotation(approvedAnnotation); approved != "" {
		out.Metadata.Annotations = map[string]string{approvedAnnotation: approved}
	}
	out.Metadata.Generation = generation(d.object)
	return krm.FromTyped(out)
}

// generation is 0 in files, which have none.
func generation(o *krm.Object) int64 {
	n, _ := strconv.ParseInt(o.String("metadata", "generation"), 10, 64)
	return n
}
