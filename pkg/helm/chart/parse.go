package chart

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// maxValuesBytes is the size of the largest values file.
const maxValuesBytes = 1 << 20

// ParseValues reads a values file, as Helm does: its documents are merged, later ones win; numbers are those of JSON.
func ParseValues(name string, data []byte) (map[string]any, error) {
	if len(data) > maxValuesBytes {
		return nil, fmt.Errorf("%s: values are larger than %d MiB", name, maxValuesBytes>>20)
	}
	values := map[string]any{}
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(append(bytes.Clone(data), '\n'))))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return values, nil
		}
		var one map[string]any
		if err == nil {
			err = yaml.Unmarshal(document, &one)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, withoutValues(err))
		}
		values = Overlay(values, one)
	}
}

// withoutValues is an error of the YAML library: its messages about types quote values, which may be secret.
func withoutValues(err error) error {
	if at, _, found := bytes.Cut([]byte(err.Error()), []byte("cannot unmarshal")); found {
		return fmt.Errorf("%swant a map of values", at)
	}
	return err
}

// Overlay returns base with over laid on it: maps are merged, all else is replaced. The maps it is made of do not change.
func Overlay(base, over map[string]any) map[string]any {
	out := maps.Clone(base)
	if out == nil {
		out = map[string]any{}
	}
	for key, value := range over {
		if m, ok := value.(map[string]any); ok {
			if b, ok := out[key].(map[string]any); ok {
				out[key] = Overlay(b, m)
				continue
			}
		}
		out[key] = value
	}
	return out
}

// copyMap is a deep copy.
func copyMap(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for key, value := range m {
		out[key] = copyValue(value)
	}
	return out
}

func copyValue(value any) any {
	switch v := value.(type) {
	case map[string]any:
		return copyMap(v)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = copyValue(e)
		}
		return out
	}
	return value
}

// ValuesError is a value that a chart cannot take. It does not say the value.
type ValuesError struct {
	Chart  string // the path of the chart in the release
	Path   string // of the value
	Reason string
}

func (e *ValuesError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("chart %s: values: %s", e.Chart, e.Reason)
	}
	return fmt.Sprintf("chart %s: values: %s: %s", e.Chart, e.Path, e.Reason)
}
