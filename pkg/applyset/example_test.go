package applyset_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const services = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: prod}
spec: {clusterIP: 10.96.0.10}
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: prod}
spec: {}
`

// A rule whose inputs own their outputs.
func ExampleRun() {
	items, err := krm.Read("in.yaml", []byte(services), krm.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	edge := applyset.Edge{
		Verb: "translate", Controller: "translate", GeneratedBy: "translate",
		Merge: applyset.Replace, Adopt: applyset.Converge, OwnFields: []string{"resources"},
		Project: func(_ context.Context, g *applyset.Group) applyset.Outcome {
			ip := g.Input.String("spec", "clusterIP")
			if ip == "" {
				return applyset.Retry("it has no clusterIP yet")
			}
			o, err := krm.FromTyped(map[string]any{
				"apiVersion": "midonet.org/v1", "kind": "Translation",
				"metadata":  map[string]any{"name": "service.4." + g.Input.Name(), "namespace": g.Input.Namespace()},
				"resources": []any{map[string]any{"kind": "Chain", "body": `{"name":"` + ip + `"}`}},
			})
			if err != nil {
				return applyset.Fail(err)
			}
			o.SetPath("translations/"+strings.ToLower(g.Input.Kind())+"/"+o.Namespace()+"/"+o.Name()+".yaml", 0)
			return applyset.Outputs(o)
		},
	}
	for _, o := range items {
		edge.Inputs = append(edge.Inputs, applyset.Input{Key: applyset.Key(o), Object: o})
	}
	plan, err := applyset.Run(context.Background(), applyset.View{Items: items}, []applyset.Edge{edge})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, op := range plan.Operations {
		fmt.Println(op.Action, op.Ref)
	}
	for _, r := range plan.Report() {
		fmt.Println(r.Severity, r.Message)
	}
	// Output:
	// create midonet.org/Translation/prod/service.4.web
	// warning translate(/Service/prod/db): it has no clusterIP yet
}

const probes = `
apiVersion: monitoring.example.org/v1
kind: ProbePolicy
metadata: {name: default, namespace: prod}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: prod}
---
apiVersion: monitoring.example.org/v1
kind: Probe
metadata:
  name: old
  namespace: prod
  labels: {waybill.dev/map-key: m1-fbfd7b4a63bd9bcf4a7ee2d8f1f7e9ac9ec5e4f0}
  annotations:
    waybill.dev/controller: probe-per-service
    waybill.dev/edge: out
    waybill.dev/input: /Service/prod/old
    waybill.dev/owner: monitoring.example.org/ProbePolicy/prod/default
`

// A rule whose outputs belong to a parent, with a tombstone for the outputs of inputs that do not exist any more.
func ExampleRun_owners() {
	items, err := krm.Read("in.yaml", []byte(strings.ReplaceAll(probes, "m1-fbfd7b4a63bd9bcf4a7ee2d8f1f7e9ac9ec5e4f0", applyset.MapKey("/Service/prod/old"))), krm.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	parent := items[0]
	edge := applyset.Edge{
		Verb: "map", Controller: "probe-per-service",
		Merge: applyset.ThreeWay, Adopt: applyset.Never, View: applyset.Complete,
		Owners: []applyset.Owner{{Key: applyset.Key(parent), Object: parent}},
		Inputs: []applyset.Input{{Key: applyset.Key(items[1]), Owner: applyset.Key(parent), Object: items[1]}},
		Project: func(_ context.Context, g *applyset.Group) applyset.Outcome {
			o, err := krm.FromTyped(map[string]any{
				"apiVersion": "monitoring.example.org/v1", "kind": "Probe",
				"metadata": map[string]any{"name": g.Input.Name(), "namespace": g.OwnerObject.Namespace()},
			})
			if err != nil {
				return applyset.Fail(err)
			}
			o.SetPath("map/"+g.Controller+"/"+g.OwnerObject.Name()+"/"+g.MapKey+".yaml", 0)
			return applyset.Outputs(o)
		},
		Tombstone: func(_ context.Context, g *applyset.Group) applyset.Outcome {
			var kept []krm.ID
			for _, o := range g.Outputs {
				if o.Labels()["keep"] != "" {
					kept = append(kept, o.ID())
				}
			}
			return applyset.Keep(kept...)
		},
	}
	plan, err := applyset.Run(context.Background(), applyset.View{Items: items}, []applyset.Edge{edge})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, op := range plan.Operations {
		fmt.Println(op.Action, op.Reason, op.Ref)
	}
	s := plan.Summaries[0]
	fmt.Println(s.Owner, "inputs", s.Inputs, "outputs", s.Outputs)
	// Output:
	// create New monitoring.example.org/Probe/prod/web
	// delete InputMissing monitoring.example.org/Probe/prod/old
	// monitoring.example.org/ProbePolicy/prod/default inputs 1 outputs 1
}
