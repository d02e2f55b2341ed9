package starlark

import star "go.starlark.net/starlark"

// call is a call of a builtin.
type call struct {
	receiver star.Value // nil for a function
	args     star.Tuple
	kwargs   []star.Tuple
	room     int // of the table of the receiver, see tables.room
}

// arg is an argument, nil when there are not so many.
func (c call) arg(i int) star.Value {
	if i < len(c.args) {
		return c.args[i]
	}
	return nil
}

// over is the sum of a measure of all arguments.
func (c call) over(measure func(star.Value) int) (total int) {
	for _, a := range c.args {
		total = plus(total, measure(a))
	}
	for _, kw := range c.kwargs {
		total = plus(total, measure(kw[1]))
	}
	return total
}

// elements is how many elements all arguments have.
func (c call) elements() int { return c.over(count) }

// sizes is the size of all arguments.
func (c call) sizes() int { return c.over(size) }

// prices are the prices of the builtins: at least the bytes that they read and make. A test fails when the library has a
// builtin without a price.
var prices = map[string]func(call) int{
	"abs":       func(c call) int { return plus(small, c.over(width)) },
	"all":       func(c call) int { return plus(small, c.over(width)) },
	"any":       func(c call) int { return plus(small, c.over(width)) },
	"bool":      fixed,
	"bytes":     func(c call) int { return plus(small, times(3, c.over(width))) },
	"chr":       fixed,
	"dict":      func(c call) int { return plus(table, c.entries()) },
	"dir":       func(call) int { return 2048 },
	"enumerate": func(c call) int { return plus(small, times(slot+2*listed, count(c.arg(0))), c.over(width)) },
	"fail":      sayPrice,
	"float":     func(c call) int { return plus(small, times(built, c.over(width))) },
	"getattr":   fixed, // and the price of attr
	"hasattr":   func(c call) int { return plus(small, len(c.argText(1))) },
	"hash":      func(c call) int { return plus(small, c.sizes()) },
	"int":       intPrice,
	"len":       fixed,
	"list":      listPrice,
	"max":       extremumPrice,
	"min":       extremumPrice,
	"ord":       func(c call) int { return plus(small, c.over(width)) },
	"print":     sayPrice,
	"range":     fixed,
	"repr":      func(c call) int { return plus(small, times(built, c.over(quoted))) },
	"reversed":  listPrice,
	"set":       func(c call) int { return plus(table, c.entries()) },
	"sorted":    sortedPrice,
	"str":       textPrice,
	"tuple":     listPrice,
	"type":      fixed,
	"zip":       zipPrice,

	"bytes.elems": fixed,

	"list.append": func(call) int { return listed },
	"list.clear":  fixed, // the elements were paid for
	"list.extend": listPrice,
	"list.index":  func(c call) int { return plus(small, size(c.receiver), c.sizes()) },
	"list.insert": func(c call) int { return plus(listed, count(c.receiver)) },
	"list.pop":    popPrice,
	"list.remove": func(c call) int { return plus(small, size(c.receiver), c.sizes()) },
}

func fixed(call) int { return small }

// listPrice is the price of a list of all elements of the arguments.
func listPrice(c call) int { return plus(small, c.over(width), times(listed, c.elements())) }

// slicePrice is the price of a part of v, which is built element by element.
func slicePrice(v star.Value) int { return times(built, width(v)) }

func textPrice(c call) int { return plus(small, times(built, c.over(text))) }

// sayPrice is the price of all arguments as one text, with separators.
func sayPrice(c call) int {
	separators := 0
	for _, kw := range c.kwargs {
		separators = plus(separators, times(len(c.args), text(kw[1])))
	}
	return times(built, plus(small, c.over(text), separators))
}

// intPrice is the price of a number, whose digits are parsed one by one.
func intPrice(c call) int {
	words := width(c.arg(0))/slot + 1
	return plus(small, times(built, width(c.arg(0))), times(words, words))
}

// extremumPrice is the price of comparing each element with another one. Sets may each be compared with a large one.
func extremumPrice(c call) int {
	all := sizeUpTo(mostWork, c.args)
	if all.sets {
		return times(all.total, plus(1, len(c.args), count(c.arg(0))))
	}
	return plus(small, all.total)
}

// comparisons bounds the comparisons and moves of each element in sorting.
const comparisons = 32

func sortedPrice(c call) int {
	iterable := c.arg(0)
	for _, kw := range c.kwargs {
		if kw[0] == star.String("iterable") {
			iterable = kw[1]
		}
	}
	all, n := sizeUpTo(mostWork, iterable), count(iterable)
	if all.sets {
		return times(all.total, plus(comparisons, n))
	}
	return plus(times(comparisons, plus(all.total, times(slot, n))), times(listed, n))
}

// zipPrice is the price of as many rows as the shortest argument has elements.
func zipPrice(c call) int {
	rows := 0
	for i, a := range c.args {
		if n := count(a); i == 0 || n < rows {
			rows = n
		}
	}
	return plus(small, c.over(width), times(rows, plus(2*listed, times(listed, len(c.args)))))
}

// popPrice is the price of moving the elements behind the removed one.
func popPrice(c call) int {
	if len(c.args) == 0 {
		return slot
	}
	return plus(slot, count(c.receiver))
}
