package validation_test

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func object(t testing.TB, text string) *krm.Object {
	t.Helper()
	objects, err := krm.Read("object.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objects[0]
}

// published is a PublishedResource with a minimal spec and more fields, YAML in one line.
func published(more string) string {
	return "apiVersion: waybill.dev/v1alpha1\nkind: PublishedResource\nmetadata: {name: orders}\n" +
		"spec: {resource: {apiGroup: apps.example, kind: ShopOrder}" + more + "}\n"
}

// related is published with one minimal related entry and more fields of it, YAML in one line.
func related(more string) string {
	return published(", related: [{identifier: creds, origin: service, version: v1, resource: secrets, object: {reference: {path: spec.a}}" + more + "}]")
}

func read(t *testing.T, text string) *waybill.PublishedResource {
	t.Helper()
	p, err := waybill.ReadPublishedResource(object(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
