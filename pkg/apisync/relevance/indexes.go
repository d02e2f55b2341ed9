package relevance

import (
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Names of Indexes.
const (
	ByNamespace = "namespace"
	ByOwner     = "owner"
	ByInput     = "input"
	ByMapKey    = "map key"
	ByFinalizer = "finalizer"
)

// Indexes are the indexes by which the objects that are relevant to a primary are found.
var Indexes = map[string]func(*krm.Object) []string{
	ByNamespace: func(o *krm.Object) []string { return []string{o.Namespace()} },
	ByOwner:     func(o *krm.Object) []string { return oneValue(applyset.TagsOf(o).Owner) },
	ByInput:     func(o *krm.Object) []string { return oneValue(applyset.TagsOf(o).Input) },
	ByMapKey:    func(o *krm.Object) []string { return oneValue(applyset.TagsOf(o).MapKey) },
	ByFinalizer: (*krm.Object).Finalizers,
}

func oneValue(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}
