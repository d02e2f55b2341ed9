package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/resource"
)

// addBounds adds the flags for limits of functions.
func (f *FunctionFlags) addBounds(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.DurationVar(&f.Limits.Time, "function-timeout", 5*time.Minute,
		"stop a function after this time, however it runs; or when it prints more than 256 MiB and twice its input")
	flags.Var((*memoryValue)(&f.Limits.Memory), "function-memory", "stop a function that needs more memory, as 512Mi; "+
		"if this is not set containers get 2Gi and executables any amount; linked functions share waybill's")
}

// checkBounds validates their values.
func (f *FunctionFlags) checkBounds() error {
	if f.Limits.Time <= 0 {
		return Usagef("--function-timeout %s: want some time", f.Limits.Time)
	}
	return nil
}

// memoryValue is a flag value: an amount of memory in bytes, 0 if it is not set.
type memoryValue int64

// leastMemory is the least that a container needs.
const leastMemory = 16 << 20

func (m *memoryValue) Set(text string) error {
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return fmt.Errorf("want an amount like 512Mi or 2Gi: %w", err)
	}
	if q.Value() < leastMemory {
		return fmt.Errorf("want 16Mi or more")
	}
	*m = memoryValue(q.Value())
	return nil
}

func (m *memoryValue) String() string {
	if *m == 0 {
		return ""
	}
	return resource.NewQuantity(int64(*m), resource.BinarySI).String()
}

func (m *memoryValue) Type() string { return "quantity" }
