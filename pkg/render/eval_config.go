package render

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// MakeConfig is the config of a function that is given values and no object: of version v1 and the
// given kind, which is ConfigMap unless somebody says otherwise, the values under data by name.
func MakeConfig(kind string, values map[string]string) (*krm.Object, error) {
	data, err := krm.NodeOf(values)
	if err != nil {
		return nil, err
	}
	return krm.FromNode(krm.MapNode(
		krm.StringNode("apiVersion"), krm.StringNode("v1"),
		krm.StringNode("kind"), krm.StringNode(kind),
		krm.StringNode("metadata"), krm.MapNode(krm.StringNode("name"), krm.StringNode("function-input")),
		krm.StringNode("data"), data,
	)), nil
}

// ReadConfig reads the config of a function from the text of a file, which holds one object.
func ReadConfig(file string, text []byte) (*krm.Object, error) {
	objs, err := krm.Read(file, text, krm.Limits{})
	if err != nil {
		return nil, fmt.Errorf("functionConfig: %w", err)
	}
	switch {
	case len(objs) == 0:
		return nil, fmt.Errorf("functionConfig %q holds no object", file)
	case len(objs) > 1:
		return nil, fmt.Errorf("functionConfig %q must not contain more than one config, got %d", file, len(objs))
	}
	if missing := notKRM(objs[0]); missing != "" {
		return nil, fmt.Errorf("functionConfig %q: resource must have %s", file, missing)
	}
	return objs[0], nil
}
