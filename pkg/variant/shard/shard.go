// Package shard divides objects between several processes, each of which works on a part of them.
//
// Shape: a Shard says which objects are those of one process: by their labels, by a number that follows from their names, or by both.
// Cost: a hash of a name for each question. Errors: one line about text that is no shard.
package shard

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Shard has the objects of one process. The zero Shard has all.
type Shard struct {
	// Selector selects by labels; nil selects all.
	Selector labels.Selector
	// Number is one of Count shards, from 1: each object is in exactly one of them, by its namespace and name. Count 0 is one shard.
	Number, Count int
	// ByNamespace has all objects of a namespace in one shard.
	ByNamespace bool
}

// MostCount is the highest Count.
const MostCount = 1000

// Parse reads a number and a count, such as 1/2. Empty text is the whole.
func Parse(text string) (number, count int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	before, after, _ := strings.Cut(text, "/")
	number, err = strconv.Atoi(before)
	if err == nil {
		count, err = strconv.Atoi(after)
	}
	if err != nil || number < 1 || count < number || count > MostCount || text != fmt.Sprintf("%d/%d", number, count) {
		return 0, 0, fmt.Errorf("want NUMBER/COUNT, such as 1/2 and 2/2 for two shards, of at most %d", MostCount)
	}
	return number, count, nil
}

// IsWhole reports whether the Shard has all objects.
func (s Shard) IsWhole() bool { return !s.selects() && s.Count < 2 }

func (s Shard) selects() bool { return s.Selector != nil && !s.Selector.Empty() }

// Owns reports whether an object is in the Shard.
func (s Shard) Owns(obj metav1.Object) bool {
	return (!s.selects() || s.Selector.Matches(labels.Set(obj.GetLabels()))) && (s.Count < 2 || s.numberOf(obj) == s.Number)
}

// numberOf is the number of the shard of an object.
func (s Shard) numberOf(obj metav1.Object) int {
	name := obj.GetNamespace()
	if !s.ByNamespace {
		name += "/" + obj.GetName()
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // a hash takes everything
	sum := h.Sum64()
	sum ^= sum >> 32                    // the low bits of this hash are those of few letters
	return int(sum%uint64(s.Count)) + 1 // #nosec G115 -- below MostCount
}

// Keys are the keys of the labels by which the Shard selects, sorted.
func (s Shard) Keys() (keys []string) {
	if !s.selects() {
		return nil
	}
	requirements, _ := s.Selector.Requirements()
	for i := range requirements {
		keys = append(keys, requirements[i].Key())
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// String differs for Shards that differ, and is "" for the whole.
func (s Shard) String() string {
	var parts []string
	if s.selects() {
		parts = append(parts, s.Selector.String()) // sorted by keys, and values
	}
	if s.Count > 1 {
		part := fmt.Sprintf("%d/%d", s.Number, s.Count)
		if s.ByNamespace {
			part += " by namespace"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}
