package cluster

import (
	"context"
	"encoding/base64"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/repository/access"
)

// Secret reads a Secret.
func (c *Client) Secret(ctx context.Context, at types.NamespacedName) (*access.Secret, error) {
	obj, err := c.secrets.Namespace(at.Namespace).Get(ctx, at.Name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	var secret access.Secret
	return &secret, runtime.DefaultUnstructuredConverter.FromUnstructured(obj.Object, &secret)
}

// CreateBasicAuth creates a Secret with a user name and a password.
func (c *Client) CreateBasicAuth(ctx context.Context, at types.NamespacedName, username, password string) error {
	encode := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	secret := unstructured.Unstructured{Object: map[string]any{
		"type": "kubernetes.io/basic-auth",
		"data": map[string]any{"username": encode(username), "password": encode(password)},
	}}
	secret.SetAPIVersion("v1")
	secret.SetKind("Secret")
	secret.SetName(at.Name)
	_, err := c.secrets.Namespace(at.Namespace).Create(ctx, &secret, metav1.CreateOptions{})
	return unreachable(err)
}

// DeleteSecret deletes a Secret, if it is there.
func (c *Client) DeleteSecret(ctx context.Context, at types.NamespacedName) error {
	err := c.secrets.Namespace(at.Namespace).Delete(ctx, at.Name, metav1.DeleteOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return unreachable(err)
}
