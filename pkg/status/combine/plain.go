package combine

import (
	"strings"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// plain is an object as expressions see it.
type plain struct {
	data map[string]any
	err  error
}

// plainObject is the whole object of an entry, with its status, as it would be on an API server: with its namespace, and
// without the annotations of packages. It is nil when there is no object.
func (s *summarizer) plainObject(e *entry) (map[string]any, error) {
	if e.object == nil {
		return nil, nil
	}
	if known, is := s.plain[e.object]; is {
		return known.data, known.err
	}
	now := e.object
	if with := s.returned[now]; with != nil {
		now = with
	}
	value, err := krm.Value(now.Node())
	p := plain{data: asMap(value)}
	if err != nil {
		p = plain{err: err}
	} else {
		asOnServer(p.data, e.Namespace)
	}
	if s.plain == nil {
		s.plain = map[*krm.Object]plain{}
	}
	s.plain[e.object] = p
	return p.data, p.err
}

// asOnServer changes obj, which is a copy.
func asOnServer(obj map[string]any, namespace string) {
	metadata := asMap(obj["metadata"])
	if namespace != "" {
		metadata["namespace"] = namespace
	} else {
		delete(metadata, "namespace")
	}
	annotations := asMap(metadata["annotations"])
	for key := range annotations {
		if krm.BelongsToPackage(key) || strings.HasPrefix(key, fn.ReservedPrefix) {
			delete(annotations, key)
		}
	}
	if len(annotations) == 0 {
		delete(metadata, "annotations")
	}
}
