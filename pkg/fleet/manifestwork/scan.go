package manifestwork

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
)

// Work is a file that holds one work, written as the bundler writes it: its manifests can be told apart by how far
// their lines are indented.
type Work struct {
	Cluster, Name, Binding string
	// Items are the texts of the manifests.
	Items     [][]byte
	Rest      []byte // fields of the spec, or of the work, behind the manifests
	HandOver  int    // how many manifests, the last ones, are hand-over entries
	head      []byte
	namespace []byte // the line of the head that names the cluster
}

// The kind that carries objects to clusters.
const (
	Group = "work.open-cluster-management.io"
	Kind  = "ManifestWork"
)

const (
	workHead      = "apiVersion: " + Group + "/v1\nkind: " + Kind + "\nmetadata:\n"
	manifestsHead = "spec:\n  workload:\n    manifests:\n"
	itemStart     = "    - "
	// ItemIndent is how far the text of a manifest is indented.
	ItemIndent = len(itemStart)
)

// Scan takes a file apart; it returns false if the file is written in another way.
func Scan(data []byte) (*Work, bool) {
	w, ok := ScanItems(data, func([]byte) int { return 0 })
	return w, ok && !slices.ContainsFunc(w.Items, MayList)
}

// ScanItems is Scan for callers that know most items from other works. They ask MayList about each item themselves. known is called for
// each item in turn, with a text that begins with it: it returns the length of the item that it knows there, or 0.
func ScanItems(data []byte, known func(text []byte) int) (*Work, bool) {
	if !bytes.HasPrefix(data, []byte(workHead)) || mayAlias(data) {
		return nil, false
	}
	at := bytes.Index(data, []byte("\n"+manifestsHead)) + 1
	if at == 0 || data[len(data)-1] != '\n' {
		return nil, false
	}
	w := &Work{head: data[:at]}
	ok := w.readHead() && w.readItems(data[at+len(manifestsHead):], known)
	return w, ok && !bytes.Contains(w.Rest, []byte("\n---")) && w.HandOver <= len(w.Items)
}

// mayAlias reports whether data seems to hold an anchor and an alias: then the text of a manifest may stand in another one.
func mayAlias(data []byte) bool { return hasMark(data, '&') && hasMark(data, '*') }

// hasMark reports whether a word begins with that sign.
func hasMark(data []byte, sign byte) bool {
	for i := bytes.IndexByte(data, sign); i >= 0 && i+1 < len(data); {
		if strings.IndexByte(" \t\n[{,:", data[max(i-1, 0)]) >= 0 && strings.IndexByte(" \t\n\"'&", data[i+1]) < 0 {
			return true
		}
		more := bytes.IndexByte(data[i+1:], sign)
		if more < 0 {
			return false
		}
		i += 1 + more
	}
	return false
}

// readHead reads the names out of the metadata.
func (w *Work) readHead() bool {
	binding, handOver, field := "    "+control.OriginBindingLabel+": ", "    "+fn.HandOver+": ", ""
	for line := range bytes.Lines(w.head[len(workHead):]) {
		text := strings.TrimSuffix(string(line), "\n")
		var into *string
		switch {
		case strings.HasPrefix(text, "  namespace: "):
			into, w.namespace = &w.Cluster, line
		case strings.HasPrefix(text, "  name: "):
			into = &w.Name
		case strings.HasPrefix(text, binding):
			into = &w.Binding
		case strings.HasPrefix(text, handOver):
			if !w.readHandOver(strings.TrimPrefix(text, handOver)) || field != "  annotations:" {
				return false
			}
			continue
		case !strings.HasPrefix(text, "  "):
			return false // what stands between metadata and spec is for a parser
		default:
			if !strings.HasPrefix(text, "   ") {
				field = text
			}
			continue
		}
		_, value, _ := strings.Cut(text, ": ")
		if *into != "" || !isPlainName(value) {
			return false
		}
		*into = value
	}
	return w.Cluster != "" && w.Name != ""
}

// readHandOver reads the annotation as the bundler writes it; false if only a parser can read it.
func (w *Work) readHandOver(quoted string) bool {
	if len(quoted) < 3 || quoted[0] != '"' || quoted[len(quoted)-1] != '"' || w.HandOver > 0 {
		return false
	}
	n, err := ParseHandOver(quoted[1:len(quoted)-1], math.MaxInt32)
	w.HandOver = n
	return err == nil
}

// isPlainName reports whether text without quotes is a name and nothing else to a YAML parser.
func isPlainName(text string) bool {
	switch text {
	case "", "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return text[0] >= 'a' && text[0] <= 'z' && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789-.") == ""
}

// readItems reads the list at the start of body, and keeps the rest; false if lines do not show where an item begins.
func (w *Work) readItems(body []byte, known func([]byte) int) bool {
	w.Items = make([][]byte, 0, 16)
	for bytes.HasPrefix(body, []byte(itemStart)) {
		n := known(body)
		if n == 0 || continues(body[n:]) {
			n = itemLength(body)
		}
		w.Items, body = append(w.Items, body[:n]), body[n:]
	}
	if len(body) == 0 || len(w.Items) == 0 {
		return len(w.Items) > 0
	}
	w.Rest = body
	return beginsField(body)
}

// itemLength is the length of the item that body begins with.
func itemLength(body []byte) int {
	end := bytes.IndexByte(body, '\n') + 1
	for continues(body[end:]) {
		end += bytes.IndexByte(body[end:], '\n') + 1
	}
	return end
}

// continues reports whether a line belongs to the item before it.
func continues(line []byte) bool {
	return len(line) > 0 && line[0] == '\n' || bytes.HasPrefix(line, []byte("      "))
}

// beginsField reports whether a line begins a field of the spec, or of the work.
func beginsField(line []byte) bool {
	line = bytes.TrimPrefix(line, []byte("  "))
	return line[0] >= 'a' && line[0] <= 'z'
}

// Itself is the work without its manifests and its namespace, so that it is equal in many clusters.
func (w *Work) Itself() []byte {
	before, after, _ := bytes.Cut(w.head, w.namespace)
	return bytes.Join([][]byte{before, after, []byte("spec:\n  workload: {}\n"), w.Rest}, nil)
}

// ParseHandOver reads the annotation of a work with so many manifests.
func ParseHandOver(text string, manifests int) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || int(n) > manifests {
		return 0, fmt.Errorf("metadata.annotations[%s]: %q: want how many of the work's %d manifests are handed over; "+
			"remove the work and render again",
			fn.HandOver, text, manifests)
	}
	return int(n), nil
}
