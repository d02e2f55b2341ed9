package cel

import "github.com/google/cel-go/common/types"

// shape is a type as in the checker, but shared: equal parts of it are one shape. Only the substitute of
// a free one changes.
type shape struct {
	name  string // of the type, without its parameters
	parts []*shape
	open  bool // it may contain free ones
	// size is the number of types in it, text the cost of writing it, and work that of writing it and all of
	// its parts, as a substitution does.
	size, text, work int
	free             bool   // stands for a type that is not known yet
	sub              *shape // its substitute, once it is known
}

// immense is more than any budget.
const immense = 1 << 30

var (
	dynamic = leaf("dyn")
	nothing = leaf("null")
	boolean = leaf("bool")
	whole   = leaf("int")
)

// leaves are the common types without parts.
var leaves = map[types.Kind]*shape{
	types.DynKind: dynamic, types.AnyKind: dynamic, types.ErrorKind: dynamic, types.NullTypeKind: nothing,
	types.BoolKind: boolean, types.IntKind: whole, types.UintKind: leaf("uint"), types.DoubleKind: leaf("double"),
	types.StringKind: leaf("string"), types.BytesKind: leaf("bytes"), types.TimestampKind: leaf("timestamp"),
	types.DurationKind: leaf("duration"),
}

func leaf(name string) *shape { return &shape{name: name, size: 1, text: 1, work: 1} }

func unknown() *shape { return &shape{free: true, open: true, size: 1, text: 1, work: 1} }

func compound(name string, parts ...*shape) *shape {
	s := &shape{name: name, parts: parts, size: 1, text: 2}
	for _, p := range parts {
		s.open = s.open || p.open
		s.size = min(s.size+p.size, immense)
		s.text = min(s.text+p.text, immense)
		s.work = min(s.work+p.work, immense)
	}
	s.text += s.size / 10
	s.work += s.text
	return s
}

const listName, mapName, optionalName, typeName = "list", "map", "optional_type", "type"

func listOf(s *shape) *shape { return compound(listName, s) }

// unwrapped is the type inside of an optional.
func unwrapped(s *shape) *shape {
	if s.name == optionalName {
		return s.parts[0]
	}
	return s
}

// shapeOf is the shape of a type, with its parameters in place of their names.
func shapeOf(t *types.Type, parameters map[string]*shape) *shape {
	switch t.Kind() {
	case types.TypeParamKind:
		if s := parameters[t.TypeName()]; s != nil {
			return s
		}
		return dynamic
	case types.ListKind, types.MapKind, types.OpaqueKind, types.TypeKind:
		parts := make([]*shape, len(t.Parameters()))
		for i, p := range t.Parameters() {
			parts[i] = shapeOf(p, parameters)
		}
		return compound(t.TypeName(), parts...)
	}
	if s := leaves[t.Kind()]; s != nil && len(t.Parameters()) == 0 {
		return s
	}
	return leaf(t.DeclaredTypeName())
}
