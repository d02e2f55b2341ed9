package apisync

import (
	"context"
	"crypto/sha1" // #nosec G505 -- for names that other clients select by, and for no secret
	"encoding/hex"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync/naming"
	"github.com/waybill-dev/waybill/pkg/apisync/publish"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Names on copies of primaries in addition to the engine's tags: for users, and for selectors.
const (
	clusterLabel        = fn.ReservedPrefix + "remote-object-cluster"
	namespaceHashLabel  = fn.ReservedPrefix + "remote-object-namespace-hash"
	nameHashLabel       = fn.ReservedPrefix + "remote-object-name-hash"
	namespaceAnnotation = fn.ReservedPrefix + "remote-object-namespace"
	nameAnnotation      = fn.ReservedPrefix + "remote-object-name"
	pathAnnotation      = fn.ReservedPrefix + "remote-object-workspace-path"
)

var markNames = []string{clusterLabel, namespaceHashLabel, nameHashLabel, publish.AgentName, namespaceAnnotation, nameAnnotation,
	pathAnnotation}

// edge is the common part of all edges. A live snapshot is partial: Gone decides about objects that it does not hold.
func (x *index) edge(name, at string) applyset.Edge {
	r := x.rule
	e := applyset.Edge{
		Verb: Name, Controller: r.name, Name: name, Place: at, GeneratedBy: Name,
		Merge: applyset.ThreeWay, Drift: r.drift, WholeLists: true, State: applyset.InItem,
		Adopt: r.adopt, AdoptBy: adoptBy(field.NewPath("spec")),
		AllowEmpty: r.config.Spec.AllowEmpty, MarkNames: markNames, AnnotationsAlone: true,
	}
	if r.config.Complete() && !x.snapshot.Live {
		e.View = applyset.Complete
	}
	return e
}

// adoptBy says how adoption is allowed, by the policy at a path.
func adoptBy(at *field.Path) string {
	return fmt.Sprintf("let %s be %s or %s", at.Child("adoptionPolicy"), waybill.AdoptConverge, waybill.AdoptPreserve)
}

// edgeOfPrimaries is the edge of primaries.
func (x *index) edgeOfPrimaries() applyset.Edge {
	e := x.edge(primaryEdge, "")
	e.OutputTypes = []schema.GroupKind{x.rule.local.GroupKind()}
	e.InputTypes = []schema.GroupKind{x.rule.remote.GroupKind()}
	for _, p := range x.primaries {
		e.Inputs = append(e.Inputs, applyset.Input{Key: p.key, Object: p.object, Marks: x.marks(p)})
		for _, o := range x.duplicates[p.key] {
			e.Inputs = append(e.Inputs, applyset.Input{Key: p.key, Object: o, Marks: x.marks(p)})
		}
	}
	e.Project = func(ctx context.Context, g *applyset.Group) applyset.Outcome {
		return x.projectPrimary(ctx, x.byKey[g.Key])
	}
	return e
}

// marks are the additional names of a copy.
func (x *index) marks(p *primary) (m applyset.Marks) {
	_, id, err := applyset.ParseKey(p.key)
	if err != nil {
		return m
	}
	m.Labels = Labels(x.rule.config.Spec.AgentName, applyset.Ref{Place: p.cluster, ID: id})
	m.Annotations = map[string]string{nameAnnotation: id.Name}
	if id.Namespace != "" {
		m.Annotations[namespaceAnnotation] = id.Namespace
	}
	if p.path != "" {
		m.Annotations[pathAnnotation] = p.path
	}
	return m
}

// Labels are the labels by which objects of a primary are selected. An agent is optional.
func Labels(agent string, primary applyset.Ref) map[string]string {
	m := map[string]string{clusterLabel: primary.Place, nameHashLabel: Hash(primary.Name)}
	if primary.Namespace != "" {
		m[namespaceHashLabel] = Hash(primary.Namespace)
	}
	if agent != "" {
		m[publish.AgentName] = agent
	}
	return m
}

// Hash is the SHA-1 of s in hex digits, for names.
func Hash(s string) string {
	sum := sha1.Sum([]byte(s)) // #nosec G401 -- likewise
	return hex.EncodeToString(sum[:])
}

// projectPrimary gives the copy of a primary.
func (x *index) projectPrimary(ctx context.Context, p *primary) applyset.Outcome {
	switch {
	case p.copies > 1:
		return applyset.Fail(fmt.Errorf("it has %d copies; remove the tags from all but one, or delete them", p.copies))
	case !p.removing && x.existingCopy(p) == nil && x.misplacedCopies[p.key] != nil:
		_, destination := Folders(x.rule.config)
		return applyset.Fail(fmt.Errorf("its copy, %s, is in the folder of neither side, and would be created again: "+
			"spec.paths.destination is %q; correct it, or move the file there",
			x.misplacedCopies[p.key].Describe(), destination))
	case p.removing && !x.isDamaged(p) && x.mayDelete(p):
		return applyset.Outputs()
	case p.removing && !x.isDamaged(p), p.retained, !x.mayHaveCopies(p.object):
		return applyset.KeepAll()
	}
	o, err := x.copyOf(ctx, p)
	if err != nil {
		return applyset.Fail(err)
	}
	return applyset.Outputs(o)
}

// mayLeave reports whether copies of a primary that is being removed may be deleted: the configuration may wait for
// finalizers of other controllers.
func (x *index) mayLeave(p *primary) bool {
	if p.object == nil || !isDeleting(p.object) || !x.rule.config.Spec.WaitForFinalizers {
		return true
	}
	return !slices.ContainsFunc(p.object.Finalizers(), func(f string) bool { return f != x.rule.Finalizer() })
}

// mayDelete reports whether the copy of a primary that is being removed may be deleted: its related objects are handled
// before.
func (x *index) mayDelete(p *primary) bool { return x.mayLeave(p) && len(x.related[p.key]) == 0 }

// isDamaged reports whether the copy of a primary lost tags without which it would be left behind. They are restored before
// it is deleted.
func (x *index) isDamaged(p *primary) bool {
	o := x.existingCopy(p)
	if p.object == nil || p.copies > 1 || o == nil || isDeleting(o) {
		return false
	}
	t := applyset.TagsOf(o)
	return t.Controller != x.rule.name || t.Owner != p.key || t.Edge != primaryEdge || t.Input != p.key
}

// copyOf builds the desired copy of a primary. A copy is named when it is created, and keeps that name.
func (x *index) copyOf(ctx context.Context, p *primary) (*krm.Object, error) {
	r := x.rule
	before := x.existingCopy(p)
	if err := sameVersion(p.object, r.remote); err != nil {
		return nil, err
	}
	if before != nil {
		if err := sameVersion(before, r.local); err != nil {
			return nil, err
		}
	}
	n, err := x.mutated(ctx, r.mutation, p.object, func() (*krm.Object, error) {
		if before != nil {
			return before, nil
		}
		return x.unmutatedCopy(ctx, p)
	})
	if err != nil {
		return nil, err
	}
	to := target{t: r.local}
	if before != nil {
		to.namespace, to.name = before.Namespace(), before.Name()
	} else if to.namespace, to.name, err = x.nameOf(ctx, p, n); err != nil {
		return nil, err
	}
	return x.newObject(to, n, Place{Side: Destination}), nil
}

// sameVersion refuses an object in another version than the one that is written: nothing converts it.
func sameVersion(o *krm.Object, t Type) error {
	if o.Version() == t.Version {
		return nil
	}
	return fmt.Errorf("%s has version %s, and only %s is kept in sync: Waybill does not convert between versions",
		o.ID(), o.Version(), t.Version)
}

// existingCopy is the existing copy of a primary; nil when there is none. A copy that lost its tags is found where
// something was last applied to it.
func (x *index) existingCopy(p *primary) *krm.Object {
	if p.copy != nil {
		return p.copy
	}
	for _, id := range x.snapshot.AppliedCopies(p.key) {
		o := x.byRef[applyset.Ref{ID: id}]
		if o == nil || !x.rule.local.is(o) {
			continue
		}
		if owner := applyset.TagsOf(o).Owner; owner == "" || owner == p.key {
			return o
		}
	}
	return nil
}

// unmutatedCopy is the copy without mutation.
func (x *index) unmutatedCopy(ctx context.Context, p *primary) (*krm.Object, error) {
	namespace, name, err := x.nameOf(ctx, p, p.object.Node())
	if err != nil {
		return nil, err
	}
	return target{x.rule.local, namespace, name}.retyped(withoutOwnFields(p.object.Node())), nil
}

// nameOf names a copy after its source object.
func (x *index) nameOf(ctx context.Context, p *primary, n *yaml.Node) (namespace, name string, err error) {
	fields, err := (&document{object: krm.FromNode(n)}).fields()
	if err != nil {
		return "", "", err
	}
	namespace, name, err = x.rule.naming.Name(ctx, naming.Source{Object: fields, ClusterName: p.cluster, ClusterPath: p.path,
		Namespaced: x.rule.local.Namespaced})
	if err == nil {
		err = x.permitCopy(namespace, name)
	}
	return namespace, name, err
}

// newObject returns a copy, with a file in a package.
func (x *index) newObject(to target, n *yaml.Node, at Place) *krm.Object {
	o := to.retyped(withoutOwnFields(n))
	x.refs[o] = applyset.Ref{Place: at.engineName(), ID: o.ID()}
	if x.snapshot.File != nil {
		o.SetPath(x.snapshot.File(at, o.ID()), 0)
	}
	return o
}
