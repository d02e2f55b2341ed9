package publish

import (
	"fmt"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// The API of kcp.
const (
	APIVersion = "apis.kcp.io/v1alpha1"
	KindSchema = "APIResourceSchema"
	KindExport = "APIExport"
)

// Names on schemas: the agent that made them, as label and annotation, and the generation of the definition.
const (
	AgentName        = waybill.Group + "/agent-name"
	SourceGeneration = waybill.Group + "/source-generation"
)

type schemaSpec struct {
	Group      string            `json:"group"`
	Names      map[string]any    `json:"names"`
	Scope      any               `json:"scope"`
	Versions   []schemaVersion   `json:"versions"`
	Conversion map[string]string `json:"conversion,omitempty"`
}

type schemaVersion struct {
	Name                     string `json:"name"`
	Served                   bool   `json:"served"`
	Storage                  bool   `json:"storage"`
	Deprecated               any    `json:"deprecated,omitempty"`
	DeprecationWarning       any    `json:"deprecationWarning,omitempty"`
	Schema                   any    `json:"schema"`
	Subresources             any    `json:"subresources,omitempty"`
	AdditionalPrinterColumns any    `json:"additionalPrinterColumns,omitempty"`
}

// Schema is the APIResourceSchema of a projected definition. kcp does not allow changes of a schema, so its name has a digest
// of the definition. A definition that a schema cannot express is an error.
func Schema(projected *krm.Object, pr *waybill.PublishedResource) (*krm.Object, error) {
	d, err := readDefinition(projected)
	if err != nil {
		return nil, err
	}
	out := document{APIVersion: APIVersion, Kind: KindSchema, Metadata: d.schemaMetadata(pr)}
	if out.Spec, err = d.schemaSpec(); err == nil {
		out.Metadata.Name, err = d.schemaName()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", projected.Describe(), err)
	}
	return krm.FromTyped(out)
}

func (d *definition) schemaSpec() (schemaSpec, error) {
	spec := schemaSpec{Group: d.group, Names: d.names, Scope: d.spec["scope"]}
	if len(d.versions) > 1 {
		spec.Conversion = map[string]string{"strategy": "None"}
	}
	r := reader{}
	if preserve := d.spec["preserveUnknownFields"]; preserve != nil && preserve != false {
		r.errs = append(r.errs, field.Forbidden(field.NewPath("spec", "preserveUnknownFields"),
			"a schema cannot say so; use x-kubernetes-preserve-unknown-fields"))
	}
	for i, v := range d.versions {
		spec.Versions = append(spec.Versions, r.schemaVersion(v, field.NewPath("spec", "versions").Index(i)))
	}
	return spec, r.errs.ToAggregate()
}

func (d *definition) schemaName() (string, error) {
	digest, err := d.digest()
	if err != nil {
		return "", fmt.Errorf("spec: %w", err)
	}
	name := "v" + digest + "." + d.resource()
	if why := validation.IsDNS1123Subdomain(name); len(why) > 0 {
		return "", field.Invalid(field.NewPath("metadata", "name"), name, why[0])
	}
	return name, nil
}

func (d *definition) schemaMetadata(pr *waybill.PublishedResource) (m metadata) {
	m.Annotations = map[string]string{}
	if approved := d.object.Annotation(approvedAnnotation); approved != "" {
		m.Annotations[approvedAnnotation] = approved
	}
	if pr.Spec.AgentName != "" {
		m.Labels = map[string]string{AgentName: pr.Spec.AgentName}
		m.Annotations[AgentName] = pr.Spec.AgentName
	}
	if n := generation(d.object); n != 0 {
		m.Annotations[SourceGeneration] = strconv.FormatInt(n, 10)
	}
	return m
}

// versionName is kcp's pattern for version names.
var versionName = lazyregexp.New(`^v[1-9][0-9]*([a-z]+[1-9][0-9]*)?$`)

func (r *reader) schemaVersion(v version, at *field.Path) schemaVersion {
	if !versionName.MatchString(v.name) {
		r.errs = append(r.errs, field.Invalid(at.Child("name"), v.name,
			"kcp takes names such as v1, v2beta1; rename it in spec.projection.versions"))
	}
	schema := r.object(v.fields["schema"], at.Child("schema"))
	if schema != nil {
		schema = r.object(schema["openAPIV3Schema"], at.Child("schema", "openAPIV3Schema"))
	}
	return schemaVersion{
		Name: v.name, Served: v.served, Storage: v.storage,
		Deprecated: v.fields["deprecated"], DeprecationWarning: v.fields["deprecationWarning"],
		Schema: schema, Subresources: v.fields["subresources"], AdditionalPrinterColumns: v.fields["additionalPrinterColumns"],
	}
}
