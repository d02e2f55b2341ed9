package combine

import (
	"context"
	"maps"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// addBinding adds every object that a Binding names.
func (s *summarizer) addBinding(ctx context.Context, b binding) error {
	missing := map[string]bool{}
	for _, e := range b.entries {
		if e.kind == "" {
			continue // identify has reported it
		}
		seen := s.seenIn(e)
		object := Object{Subject: s.subject(b, e), Destinations: b.destinations, about: e.object}
		if e.object == nil {
			object.about = b.object
		}
		for _, cluster := range b.destinations {
			object.add(cluster, seen(cluster).In(cluster))
		}
		if len(e.wants.StatusCollectors) > 0 {
			if err := s.combine(ctx, b, e, seen, &object); err != nil {
				return err
			}
		}
		for _, name := range object.Missing {
			missing[name] = true
		}
		s.out.Objects = append(s.out.Objects, object)
	}
	if len(missing) > 0 {
		names := slices.Sorted(maps.Keys(missing))
		s.report(sdk.Warning, b.object, field.NewPath("spec", "workload"), "%s%s", status.AvailableCondition(names).Message,
			s.nearCollectors(names))
	}
	return nil
}

func (s *summarizer) subject(b binding, e *entry) status.Subject {
	subject := status.Subject{
		Group: e.Group, Version: e.version, Kind: e.kind, Resource: e.Resource, Namespace: e.Namespace, Name: e.Name,
		Policy: b.name, PolicyUID: b.policyUID,
	}
	if e.object != nil {
		subject.UID = e.object.String("metadata", "uid")
	}
	return subject
}

// combine evaluates the collectors that an entry names.
func (s *summarizer) combine(ctx context.Context, b binding, e *entry, seen func(string) reports.Object, out *Object) error {
	about := out.about
	obj, err := s.plainObject(e)
	if err != nil {
		s.report(sdk.Error, about, nil, "%v", err)
		return nil
	}
	var programs []*status.Program
	programs, out.Missing = s.collectors.Pick(e.wants.StatusCollectors)
	var results []control.NamedStatusCombination
	var rows []status.Report
	for _, cluster := range b.destinations {
		rows = append(rows, engine.ReportFrom(seen(cluster), cluster))
	}
	for _, p := range programs {
		result, warnings := p.Evaluate(ctx, obj, rows, status.Options{NullAsNull: s.opts.NullAsNull})
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, w := range warnings {
			severity := sdk.Warning
			if w.Mild {
				severity = sdk.Info
			}
			s.report(severity, about, nil, "Binding %q, %s", b.name, w)
		}
		results = append(results, result)
	}
	results, tooMuch := status.Bound(results)
	for _, w := range tooMuch {
		s.report(sdk.Warning, about, nil, "Binding %q, %s", b.name, w)
	}
	out.Combined, err = status.New(out.Subject, results)
	if err != nil {
		s.report(sdk.Error, about, field.NewPath("metadata"), "%v", err)
	}
	return nil
}
