package translation

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

const twoServices = `
apiVersion: v1
kind: Service
metadata: {name: a, namespace: default}
spec: {clusterIP: 10.96.0.1, ports: [{name: http, port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: b, namespace: default}
spec: {clusterIP: 10.96.0.2, ports: [{name: http, port: 80}]}
`

// reading is a run that has read objects and may make so many Translations.
func reading(t *testing.T, objects []*krm.Object, most int) *translator {
	t.Helper()
	opts := defaultOptions()
	c, err := midonet.New(opts.forConverter())
	if err != nil {
		t.Fatal(err)
	}
	tr := &translator{Options: opts, converter: c, controller: Name, items: objects, maxTranslations: most}
	tr.readInputs()
	tr.readTranslations()
	return tr
}

func TestMostTranslations(t *testing.T) {
	objects := fntest.Parse(t, "in.yaml", []byte(twoServices))
	if err := reading(t, objects, 4).convert(t.Context()); err != nil {
		t.Errorf("as many as there may be: %v", err)
	}
	err := reading(t, objects, 3).convert(t.Context())
	if err == nil || !strings.HasPrefix(err.Error(), "there would be more than 3 Translations; ") {
		t.Errorf("one more: %v", err)
	}
}

// TestInterrupted stops in the middle of what is to be converted.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tr := reading(t, fntest.Parse(t, "in.yaml", []byte(twoServices)), maxTranslations)
	if err := tr.convert(ctx); !errors.Is(err, context.Canceled) || tr.owners[0].outcome.Verdict != "" {
		t.Errorf("it went on: %v", err)
	}
}
