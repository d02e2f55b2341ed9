package mapcontroller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/mapcontroller/hooks"
)

// values reads Secrets and ConfigMaps one by one, which needs no right to list them.
type values struct{ from client.Reader }

// Get implements hooks.Values.
func (v values) Get(ctx context.Context, kind, namespace, name, key string) ([]byte, error) {
	where := client.ObjectKey{Namespace: namespace, Name: name}
	switch kind {
	case hooks.KindSecret:
		s := &corev1.Secret{}
		if err := v.from.Get(ctx, where, s); err != nil {
			return nil, err
		}
		if data, is := s.Data[key]; is {
			return data, nil
		}
	case hooks.KindConfigMap:
		c := &corev1.ConfigMap{}
		if err := v.from.Get(ctx, where, c); err != nil {
			return nil, err
		}
		if text, is := c.Data[key]; is {
			return []byte(text), nil
		}
		if data, is := c.BinaryData[key]; is {
			return data, nil
		}
	default:
		return nil, fmt.Errorf("a %s holds no settings", kind)
	}
	return nil, hooks.ErrNoKey
}
