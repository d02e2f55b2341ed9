package applyset

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// checkEdges returns everything that is wrong with the edges, before any projection runs.
func checkEdges(edges []Edge) error {
	var errs []error
	seen := map[[3]string]bool{}
	for i := range edges {
		e := &edges[i]
		id := [3]string{e.Controller, cmp.Or(e.Name, defaultEdge), e.Place}
		if err := e.check(edges[:i]); err != nil {
			errs = append(errs, fmt.Errorf("edge %q of controller %q: %w", id[1], id[0], err))
		}
		if seen[id] {
			errs = append(errs, fmt.Errorf("edge %q of controller %q is listed twice", id[1], id[0]))
		}
		seen[id] = true
	}
	return errors.Join(errs...)
}

// defaultEdge is the default of Edge.Name.
const defaultEdge = "out"

// check returns what is wrong with one edge; earlier are the edges before it.
func (e *Edge) check(earlier []Edge) error {
	known := func(name string) bool {
		return slices.ContainsFunc(earlier, func(o Edge) bool { return o.Controller == e.Controller && cmp.Or(o.Name, defaultEdge) == name })
	}
	for _, name := range e.After {
		if !known(name) {
			return fmt.Errorf("it comes after %q, which is not an earlier edge", name)
		}
	}
	for name := range e.Stamp {
		if !strings.HasPrefix(name, fn.ReservedPrefix) || isTag(name) {
			return fmt.Errorf("it cannot stamp %q", name)
		}
	}
	switch {
	case len(validation.IsDNS1123Subdomain(e.Controller)) > 0:
		return errors.New("its controller is not a name of lower-case letters, digits, '-' and '.'")
	case e.Verb == "":
		return errors.New("it has no verb")
	case e.Project == nil:
		return errors.New("it has no projection")
	case e.Adopt == Preserve && e.Merge != ThreeWay:
		return errors.New("the option Preserve requires ThreeWay")
	case e.Parallel < 0:
		return errors.New("the option Parallel is negative")
	}
	return e.checkKeys()
}

func (e *Edge) checkKeys() error {
	owners := make(map[string]bool, len(e.Owners))
	for _, o := range e.Owners {
		if _, _, err := ParseKey(o.Key); err != nil {
			return fmt.Errorf("owner: %w", err)
		}
		if owners[o.Key] {
			return fmt.Errorf("owner %s is listed twice", o.Key)
		}
		owners[o.Key] = true
	}
	for i := range e.Inputs {
		in := &e.Inputs[i]
		if _, _, err := ParseKey(in.Key); err != nil {
			return fmt.Errorf("input: %w", err)
		}
		if e.Owners != nil && !owners[in.Owner] {
			return fmt.Errorf("owner %q of input %s is not among the owners", in.Owner, in.Key)
		}
		if e.Owners == nil && in.Owner != "" && in.Owner != in.Key {
			return fmt.Errorf("input %s has another owner, and the edge lists none", in.Key)
		}
	}
	return nil
}

// isTag reports whether Run alone sets an annotation.
func isTag(name string) bool {
	return slices.Contains([]string{InputAnnotation, OwnerAnnotation, ControllerAnnotation, EdgeAnnotation, KeepAnnotation,
		LastKnownAnnotation, AdoptedAnnotation}, name)
}
