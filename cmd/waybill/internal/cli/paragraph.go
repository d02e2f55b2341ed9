package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// paragraph is text to fill: a whole paragraph, or an item of a list.
type paragraph struct {
	term   string // what an item begins with, after its indentation
	indent int
	column int // where the words stand
	words  []string
	end    string
}

// item is a term, at least two spaces, and the start of a description.
var item = lazyregexp.New(`^ *(\S+(?: \S+)*)  +`)

// shallow is the deepest indentation of an item without a description.
const shallow = 3

// belowTerm is the column of words that stand below their term.
const belowTerm = 10

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// continues reports whether a line has more words of the paragraph.
func (p *paragraph) continues(line string) bool {
	indent := indentation(line)
	return len(p.words) > 0 && indent == p.column && (indent == 0 || indent > shallow) && !item.MatchString(line)
}

// next is the paragraph that begins with line. The longest term of a list of commands has only one space behind it; the description has
// the column of the item before.
func (p *paragraph) next(line string) paragraph {
	indent := indentation(line)
	column := utf8.RuneCountInString(item.FindString(line))
	if column == 0 && p.term != "" && p.column < len(line) && line[p.column-1] == ' ' && line[p.column] != ' ' {
		column = p.column
	}
	if column == 0 {
		return paragraph{indent: indent, column: indent, words: strings.Fields(line)}
	}
	letters := []rune(line)
	term, words := string(letters[:column]), string(letters[column:])
	return paragraph{indent: indent, column: column, term: strings.TrimSpace(term), words: strings.Fields(words)}
}

// write fills the paragraph. If the column leaves little room, the words stand below the term.
func (p *paragraph) write(out io.Writer, width int) {
	if len(p.words) == 0 {
		return
	}
	line, column := strings.Repeat(" ", p.indent)+p.term, p.column
	switch {
	case p.term == "":
		line += p.words[0]
	case column > width/2:
		fmt.Fprintln(out, line)
		column = belowTerm
		line = strings.Repeat(" ", column) + p.words[0]
	default:
		line += strings.Repeat(" ", column-utf8.RuneCountInString(line)) + p.words[0]
	}
	for _, word := range p.words[1:] {
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			fmt.Fprintln(out, line)
			line = strings.Repeat(" ", column) + word
		} else {
			line += " " + word
		}
	}
	fmt.Fprint(out, line+p.end)
}
