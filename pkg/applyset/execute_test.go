package applyset_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestExecuteParallel(t *testing.T) {
	op := func(action applyset.Action, chain, name string) applyset.Operation {
		return applyset.Operation{Action: action, Chain: chain, Ref: applyset.Ref{ID: krm.ID{Name: name}}}
	}
	ops := []applyset.Operation{
		op(applyset.ActionCreate, "a", "1"), op(applyset.ActionUpdate, "a", "2"), op(applyset.ActionCreate, "b", "3"),
		op(applyset.ActionDelete, "c", "4"), op(applyset.ActionCreate, "c", "5"), op(applyset.ActionDelete, "d", "6"),
	}
	for name, tc := range map[string]struct {
		reason  string
		fails   string
		skipped []string
	}{
		"Well":   {"everything is done", "", nil},
		"Create": {"what fails ends its chain, and no other one", "1", []string{"2"}},
		"Delete": {"so does a deletion, which comes first", "4", []string{"5"}},
		"Last":   {"or the last of a chain, with nothing behind it", "3", nil},
	} {
		var mu sync.Mutex
		var done []string
		attempts := applyset.ExecuteParallel(t.Context(), ops, 3, func(_ context.Context, op applyset.Operation) error {
			mu.Lock()
			defer mu.Unlock()
			if op.Ref.Name == tc.fails {
				return errors.New("no")
			}
			done = append(done, op.Ref.Name)
			return nil
		})
		var skipped, all []string
		for _, a := range attempts {
			all = append(all, a.Operation.Ref.Name)
			if a.Skipped {
				skipped = append(skipped, a.Operation.Ref.Name)
			}
			if (a.Err != nil) != (a.Operation.Ref.Name == tc.fails) {
				t.Errorf("%s: %s: %v", name, a.Operation.Ref.Name, a.Err)
			}
		}
		slices.Sort(all)
		if diff := cmp.Diff([]string{"1", "2", "3", "4", "5", "6"}, all); diff != "" {
			t.Errorf("%s: every operation is in the answer (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(tc.skipped, skipped); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, tc.reason, diff)
		}
		deleted := slices.Index(done, "6")
		for _, created := range []string{"1", "2", "3", "5"} {
			if i := slices.Index(done, created); i >= 0 && i < deleted {
				t.Errorf("%s: %s was done before all deletions: %q", name, created, done)
			}
		}
	}
}
