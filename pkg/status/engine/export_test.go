package engine

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// Names are the names of all desired CombinedStatuses, in order.
func (e *Engine) Names() []types.NamespacedName {
	return slices.SortedFunc(maps.Keys(e.byName), compareNames)
}
