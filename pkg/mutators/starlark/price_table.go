package starlark

import (
	"maps"

	star "go.starlark.net/starlark"
)

func init() { maps.Copy(prices, tablePrices) }

// tablePrices are the prices of the methods of maps and sets. clear is done by empty.
var tablePrices = map[string]func(call) int{
	"dict.clear":      emptyPrice,
	"dict.get":        keyPrice,
	"dict.items":      func(c call) int { return plus(small, times(3*listed, count(c.receiver))) },
	"dict.keys":       func(c call) int { return plus(small, times(slot, count(c.receiver))) },
	"dict.pop":        keyPrice,
	"dict.popitem":    func(call) int { return small }, // the key was paid for
	"dict.setdefault": putPrice,
	"dict.update":     func(c call) int { return plus(small, c.entries()) },
	"dict.values":     func(c call) int { return plus(small, times(2*listed, count(c.receiver))) },

	"set.add":                  putPrice,
	"set.clear":                emptyPrice,
	"set.difference":           setPrice,
	"set.discard":              keyPrice,
	"set.intersection":         setPrice,
	"set.issubset":             func(c call) int { return plus(small, c.sizes(), c.room) },
	"set.issuperset":           func(c call) int { return plus(small, c.sizes()) },
	"set.pop":                  func(call) int { return small },
	"set.remove":               keyPrice,
	"set.symmetric_difference": setPrice,
	"set.union":                setPrice,
	"set.update":               func(c call) int { return plus(small, c.entries()) },
}

func keyPrice(c call) int { return plus(small, c.sizes()) }

// emptyPrice is the price of removing the keys one by one.
func emptyPrice(c call) int {
	total := small
	for k := range elements(c.receiver) {
		total = plus(total, slot, size(k))
	}
	return total
}

func putPrice(c call) int { return plus(entry, c.sizes()) }

// entries is the price of putting all arguments into a map or set.
func (c call) entries() int {
	return plus(c.sizes(), times(entry, plus(c.elements(), len(c.kwargs))))
}

// setPrice is the price of a union of sets, or of a part of it.
func setPrice(c call) int { return plus(table, setsPrice(c.receiver, c.args...)) }

func setsPrice(set star.Value, others ...star.Value) int {
	total := plus(size(set), times(entry, count(set)))
	for _, o := range others {
		total = plus(total, size(o), times(entry, count(o)))
	}
	return total
}
