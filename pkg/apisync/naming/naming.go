package naming

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/template/text"
)

// The default names of copies.
const (
	DefaultNamespace = "{{ .ClusterName }}"
	DefaultName      = "{{ .Object.metadata.namespace | sha3short }}-{{ .Object.metadata.name | sha3short }}"
)

// Naming is how copies are called.
type Naming struct{ namespace, name part }

// Source is what a name is made of.
type Source struct {
	// Object is the source after its spec rules, as plain data.
	Object map[string]any
	// ClusterName and ClusterPath identify the workspace. The path is empty unless it is used.
	ClusterName, ClusterPath string
	// Namespaced says whether copies live in namespaces.
	Namespaced bool
}

// part is a namespace or a name.
type part struct {
	at   *field.Path
	fill func(ctx context.Context, s Source) (text.Text, error)
	want func(string) []string // what is wrong with a result
}

// New makes a Naming of what is configured, nil for all defaults. An error lists all faults.
func New(config *waybill.PublishedNaming) (*Naming, error) {
	at := field.NewPath("spec", "naming")
	if config == nil {
		config = &waybill.PublishedNaming{}
	}
	n, errs := &Naming{}, field.ErrorList{}
	for _, p := range []struct {
		to             *part
		field          string
		text, fallback string
		want           func(string) []string
	}{
		{&n.name, "name", config.Name, DefaultName, validation.IsDNS1123Subdomain},
		{&n.namespace, "namespace", config.Namespace, DefaultNamespace, validation.IsDNS1123Label},
	} {
		if p.text == "" {
			p.text = p.fallback
		}
		fill, err := compile(p.field, p.text)
		if err != nil {
			errs = append(errs, field.Invalid(at.Child(p.field), field.OmitValueType{}, err.Error()))
		}
		*p.to = part{at.Child(p.field), fill, p.want}
	}
	if len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	return n, nil
}

// compile reads either notation.
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

// placeholders fills in the old notation. Of those that begin alike the first one counts.
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

// Name says what the copy of a source is called; the namespace is empty where copies live in none.
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
	if faults := p.want(got.Trimmed); len(faults) > 0 {
		return "", fmt.Errorf("%s: the result, of %d bytes, is not valid: %s", p.at, len(got.Trimmed), faults[0])
	}
	return got.Trimmed, nil
}
