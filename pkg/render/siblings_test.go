package render

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// called runs every function through one Go function.
type called func(ctx context.Context, image string, in *fn.Input) error

func (c called) Prepare(_ context.Context, f *kptfilev1.Function) (runner.Runner, error) {
	return callee{c, f.Image}, nil
}

type callee struct {
	called
	image string
}

func (callee) Kind() string { return "called" }

func (c callee) Run(ctx context.Context, in *fn.Input) (*runner.Output, error) {
	if err := c.called(ctx, c.image, in); err != nil {
		return nil, err
	}
	return &runner.Output{Output: *fn.NewOutput(in)}, nil
}

// withSubpackages is a root package with subpackages, each of which runs a function of the same name.
func withSubpackages(t *testing.T, names ...string) pkgtree.Tree {
	t.Helper()
	files := map[string][]byte{"Kptfile": []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: root\n")}
	for _, name := range names {
		files[name+"/Kptfile"] = fmt.Appendf(nil, "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: %s\npipeline:\n  mutators:\n  - image: %[1]s\n", name)
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// eventsOf renders and lists the events.
func eventsOf(t *testing.T, tree pkgtree.Tree, f called) (lines []string, result *Result, err error) {
	t.Helper()
	result, err = Render(t.Context(), tree, Options{Functions: f, Observe: func(e Event) {
		switch {
		case e.Step == nil:
			lines = append(lines, "package "+e.Package)
		case e.Done:
			lines = append(lines, "done "+e.Step.Image)
		default:
			lines = append(lines, "run "+e.Step.Image)
		}
	}})
	return lines, result, err
}

func TestSiblingsRunAtTheSameTime(t *testing.T) {
	here := map[string]chan bool{"a": make(chan bool, 1), "b": make(chan bool, 1)}
	lines, _, err := eventsOf(t, withSubpackages(t, "a", "b"), func(ctx context.Context, image string, _ *fn.Input) error {
		other := map[string]string{"a": "b", "b": "a"}[image]
		here[image] <- true
		select {
		case <-here[other]: // if one ran after the other, neither would end
		case <-ctx.Done():
			return ctx.Err()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"package root/a", "run a", "done a", "package root/b", "run b", "done b", "package root"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("the events are not in order (-want +got):\n%s", diff)
	}
}

// TestFirstErrorWins checks that a render with two errors always returns the same one, whichever
// occurred first, and no step behind it.
func TestFirstErrorWins(t *testing.T) {
	failed := make(chan bool)
	lines, result, err := eventsOf(t, withSubpackages(t, "a", "b", "c", "d"), func(_ context.Context, image string, _ *fn.Input) error {
		switch image {
		case "b":
			<-failed // until c has failed
			return errors.New("b is broken")
		case "c":
			defer close(failed)
			return errors.New("c is broken")
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "b is broken") {
		t.Errorf("the error is %v, want that of b", err)
	}
	want := []string{"package root/a", "run a", "done a", "package root/b", "run b", "done b"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if len(result.Steps) != 2 || result.Steps[1].Err == nil {
		t.Errorf("steps are %+v, want a and the failed b", result.Steps)
	}
}

// TestFailureStopsSiblings checks that a failure stops the functions that run at the same time.
func TestFailureStopsSiblings(t *testing.T) {
	begun := make(chan bool)
	_, _, err := eventsOf(t, withSubpackages(t, "a", "b"), func(ctx context.Context, image string, _ *fn.Input) error {
		if image == "a" {
			<-begun
			return errors.New("a is broken")
		}
		close(begun)
		<-ctx.Done() // hangs if the render does not stop it
		return ctx.Err()
	})
	if err == nil || !strings.Contains(err.Error(), "a is broken") {
		t.Errorf("the error is %v, want that of a", err)
	}
}
