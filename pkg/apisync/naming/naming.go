package naming

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/template/text"
)

// The default names of copies.
const (
	defaultNamespace = "{{ .ClusterName }}"
	defaultName      = "{{ .Object.metadata.namespace | sha3short }}-{{ .Object.metadata.name | sha3short }}"
)

// Naming names copies.
type Naming struct{ namespace, name part }

// Source is the data for a name.
type Source struct {
	// Object is the source after its spec rules, as plain data.
	Object map[string]any
	// ClusterName and ClusterPath identify the workspace. The path is empty unless it is used.
	ClusterName, ClusterPath string
	// Namespaced says whether copies are in namespaces.
	Namespaced bool
}

// part is a namespace or a name.
type part struct {
	at    *field.Path
	fill  func(ctx context.Context, s Source) (text.Text, error)
	check func(string) []string // returns the faults of a result
}

// New compiles the naming; nil has all defaults. An error lists all faults.
func New(config *waybill.PublishedNaming) (*Naming, error) {
	if config == nil {
		config = &waybill.PublishedNaming{}
	}
	name, errName := newPart("name", cmp.Or(config.Name, defaultName), validation.IsDNS1123Subdomain)
	namespace, errNamespace := newPart("namespace", cmp.Or(config.Namespace, defaultNamespace), validation.IsDNS1123Label)
	if err := utilerrors.NewAggregate([]error{errName, errNamespace}); err != nil {
		return nil, err
	}
	return &Naming{namespace, name}, nil
}

func newPart(name, template string, check func(string) []string) (part, error) {
	at := field.NewPath("spec", "naming", name)
	fill, err := compile(name, template)
	if err != nil {
		return part{}, field.Invalid(at, field.OmitValueType{}, err.Error())
	}
	return part{at, fill, check}, nil
}

// compile compiles a template, or a text with the old placeholders.
func compile(name, template string) (func(context.Context, Source) (text.Text, error), error) {
	if !strings.Contains(template, "{{") {
		return func(_ context.Context, s Source) (text.Text, error) { return placeholders(template, s), nil }, nil
	}
	compiled, err := text.Compile(name, template)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, s Source) (text.Text, error) {
		return compiled.Execute(ctx, map[string]any{"Object": s.Object, "ClusterName": s.ClusterName, "ClusterPath": s.ClusterPath})
	}, nil
}

// placeholders replaces the old placeholders. Of those that begin alike the first one counts.
func placeholders(template string, s Source) text.Text {
	metadata, _ := s.Object["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	name, _ := metadata["name"].(string)
	filled := strings.NewReplacer(
		"$remoteClusterName", s.ClusterName,
		"$remoteNamespaceHash", text.ShortHash(namespace),
		"$remoteNamespace", namespace,
		"$remoteNameHash", text.ShortHash(name),
		"$remoteName", name,
	).Replace(template)
	return text.Text{Trimmed: filled, Missing: name == ""}
}

// Name names the copy of a source. The namespace is empty where copies have none.
func (n *Naming) Name(ctx context.Context, s Source) (namespace, name string, err error) {
	if name, err = n.name.of(ctx, s); err != nil {
		return "", "", err
	}
	if !s.Namespaced {
		if _, err := n.namespace.fill(ctx, s); err != nil {
			return "", "", fmt.Errorf("%s: %w", n.namespace.at, err)
		}
		return "", name, nil
	}
	if namespace, err = n.namespace.of(ctx, s); err != nil {
		return "", "", err
	}
	return namespace, name, nil
}

func (p *part) of(ctx context.Context, s Source) (string, error) {
	got, err := p.fill(ctx, s)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", p.at, err)
	case got.Missing:
		return "", fmt.Errorf("%s: the result contains a value that the object does not have; use default, or another field", p.at)
	}
	if faults := p.check(got.Trimmed); len(faults) > 0 {
		return "", fmt.Errorf("%s: the result, of %d bytes, is not valid: %s", p.at, len(got.Trimmed), faults[0])
	}
	return got.Trimmed, nil
}
