package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/oci"
)

// PackagesAnnotation of a Repository of type oci names its packages, by their paths below spec.oci.registry, separated by commas or
// spaces. It is for registries that do not list their repositories. Without it the packages are those that the registry lists.
const PackagesAnnotation = "waybill.dev/packages"

// named are the packages that a Repository object names, sorted; nil if it names none.
func named(obj *porchconfig.Repository) ([]string, error) {
	text, given := obj.Annotations[PackagesAnnotation]
	if !given {
		return nil, nil
	}
	names := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) })
	for _, name := range names {
		if why := badPackage(name); why != "" {
			return nil, fmt.Errorf("annotation %s: package %q: %s", PackagesAnnotation, name, why)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("annotation %s: names no package; without the annotation, the packages are those that the registry lists",
			PackagesAnnotation)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// badPackage says why a path is no name of a package; "" if it is one.
func badPackage(name string) string {
	for segment := range strings.SplitSeq(name, "/") {
		if errs := validation.IsDNS1123Label(segment); len(errs) > 0 {
			return errs[0]
		}
	}
	return ""
}

// readPackages returns the packages: those that the object names, or those of the registry's catalogue. Repositories whose path is no
// name of a package are left out. No package at all is an error: the address may be wrong, or the registry may hide them.
func (s *Store) readPackages(ctx context.Context) ([]string, error) {
	names := s.packages
	if names == nil {
		all, err := s.client.Repositories(ctx, s.at.Registry, s.prefix())
		if err != nil {
			return nil, s.catalogError(err)
		}
		for _, repo := range all {
			if name := strings.TrimPrefix(repo, s.prefix()); badPackage(name) == "" {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("registry %s lists no package below %q: push one by 'waybill pkg push', correct spec.oci.registry, "+
				"or name the packages in the annotation %s", s.at.Registry, s.at.Repository, PackagesAnnotation)
		}
	}
	if len(names) > s.limits.Packages {
		return nil, fmt.Errorf("%s has %d packages, and more than %d are not read: name some of them in the annotation %s",
			s.URL(), len(names), s.limits.Packages, PackagesAnnotation)
	}
	return names, nil
}

func (s *Store) catalogError(err error) error {
	if errors.Is(err, oci.ErrNoCatalog) {
		return fmt.Errorf("registry %s does not list its repositories to this client: name the packages in the annotation %s: %w",
			s.at.Registry, PackagesAnnotation, err)
	}
	return err
}
