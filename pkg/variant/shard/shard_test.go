package shard_test

import (
	"fmt"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/variant/shard"
)

func TestParse(t *testing.T) {
	const bad = "want NUMBER/COUNT, such as 1/2 and 2/2 for two shards, of at most 1000"
	for text, want := range map[string]string{
		"": "0 0 ", "1/1": "1 1 ", "2/3": "2 3 ", "1000/1000": "1000 1000 ", "0/2": "0 0 " + bad, "3/2": "0 0 " + bad, "1": "0 0 " + bad,
		"1/": "0 0 " + bad, "/2": "0 0 " + bad, "a/b": "0 0 " + bad, "1/2/3": "0 0 " + bad, "01/2": "0 0 " + bad, "+1/2": "0 0 " + bad,
		"-1/2": "0 0 " + bad, "1/1001": "0 0 " + bad, " 1/2": "0 0 " + bad, "1/99999999999999999999": "0 0 " + bad,
	} {
		number, count, err := shard.Parse(text)
		got := fmt.Sprint(number, count, " ")
		if err != nil {
			got += err.Error()
		}
		if got != want {
			t.Errorf("%q: want %q, got %q", text, want, got)
		}
	}
}

// TestEachInOne has every object in one shard and in no other, and about as many in each; of a namespace all or as many, too.
func TestEachInOne(t *testing.T) {
	for _, count := range []int{1, 2, 3, 7} {
		for _, together := range []bool{false, true} {
			sizes := make([]int, count)
			for i := range 4000 {
				obj := &metav1.ObjectMeta{Namespace: fmt.Sprintf("team-%d", i/4), Name: fmt.Sprintf("site-%04d", i)}
				owners, neighbours := 0, 0
				for number := range count {
					s := shard.Shard{Number: number + 1, Count: count, ByNamespace: together}
					if s.Owns(obj) {
						owners++
						sizes[number]++
					}
					if s.Owns(obj) == s.Owns(&metav1.ObjectMeta{Namespace: obj.Namespace, Name: "another"}) {
						neighbours++
					}
				}
				if owners != 1 {
					t.Fatalf("%v is in %d of %d shards", obj, owners, count)
				}
				if together && neighbours != count {
					t.Fatalf("the objects of %s are divided", obj.Namespace)
				}
			}
			if least, most := slices.Min(sizes), slices.Max(sizes); most-least > 4000/count/3 {
				t.Errorf("%d shards, by namespace %t: the sizes %v differ too much", count, together, sizes)
			}
		}
	}
}

// TestStays has objects stay in their shards in every release: another division would move all at once.
func TestStays(t *testing.T) {
	got := ""
	for i := range 12 {
		obj := &metav1.ObjectMeta{Namespace: "fleet", Name: fmt.Sprint("shop-", i)}
		for number := 1; number <= 3; number++ {
			if (shard.Shard{Number: number, Count: 3}).Owns(obj) {
				got += fmt.Sprint(number)
			}
		}
	}
	if want := "213212221332"; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}

func TestBoth(t *testing.T) {
	selector, err := labels.Parse("b=1,a,b")
	if err != nil {
		t.Fatal(err)
	}
	obj := &metav1.ObjectMeta{Namespace: "fleet", Name: "x", Labels: labels.Set{"a": "", "b": "1"}}
	owners := 0
	for number := 1; number <= 2; number++ {
		s := shard.Shard{Selector: selector, Number: number, Count: 2}
		if s.Owns(obj) {
			owners++
		}
		if s.Owns(&metav1.ObjectMeta{Namespace: "fleet", Name: "x"}) || s.IsWhole() {
			t.Error("labels count, too")
		}
	}
	if owners != 1 {
		t.Errorf("%d owners", owners)
	}
	s := shard.Shard{Selector: selector, Number: 1, Count: 2, ByNamespace: true}
	if got := fmt.Sprint(s.Keys(), s); got != "[a b] a,b=1,b 1/2 by namespace" {
		t.Errorf("got %s", got)
	}
	if whole := (shard.Shard{Number: 1, Count: 1, Selector: labels.Everything()}); !whole.IsWhole() || whole.String() != "" || whole.Keys() != nil || !whole.Owns(obj) {
		t.Errorf("%v is not the whole", whole)
	}
}
