package cli

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/waybill-dev/waybill/pkg/memlimit"
)

// LimitMemory limits the memory of this process if the user asks for that. NewFactory does so, too: it is for commands that read much
// before they render, or do not render.
func (f *FunctionFlags) LimitMemory() {
	if m := int64(f.memory.memoryValue); m != 0 {
		memlimit.Set(m)
	}
}

// ownMemory is an amount of memory for this process.
type ownMemory struct{ memoryValue }

// leastOwnMemory is what the smallest package needs.
const leastOwnMemory = 64 << 20

func (m *ownMemory) Set(text string) error { return m.parse(text, leastOwnMemory) }

// memoryValue is an amount of memory in bytes; 0 if it is not set.
type memoryValue int64

// leastMemory is the least that a container needs.
const leastMemory = 16 << 20

func (m *memoryValue) Set(text string) error { return m.parse(text, leastMemory) }

func (m *memoryValue) parse(text string, least memoryValue) error {
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return fmt.Errorf("want an amount like 512Mi or 2Gi: %w", err)
	}
	if q.Value() < int64(least) {
		return fmt.Errorf("want %s or more", &least)
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
