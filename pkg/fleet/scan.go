package fleet

import (
	"bytes"
	"math"
	"strings"

	"github.com/waybill-dev/waybill/pkg/bundling"
	"github.com/waybill-dev/waybill/pkg/fn"
)

// scanned is a file that holds one work, written as the bundler writes it: its manifests can be told apart by how far
// their lines are indented.
type scanned struct {
	cluster, name, binding string
	head, manifests, rest  []byte
	namespace              []byte // the line of the head that names the cluster
	handOver               int    // how many manifests, the last ones, are hand-over entries
}

const (
	workHead      = "apiVersion: " + WorkGroup + "/v1\nkind: " + WorkKind + "\nmetadata:\n"
	manifestsHead = "spec:\n  workload:\n    manifests:\n"
	itemStart     = "    - "
	itemIndent    = len(itemStart)
)

// scanWork takes a file apart; false when it is written in another way.
func scanWork(data []byte) (*scanned, bool) {
	if !bytes.HasPrefix(data, []byte(workHead)) || bytes.Contains(data, []byte("\n---")) || mayAlias(data) {
		return nil, false
	}
	at := bytes.Index(data, []byte("\n"+manifestsHead)) + 1
	if at == 0 || data[len(data)-1] != '\n' {
		return nil, false
	}
	w := &scanned{head: data[:at]}
	if !w.readHead() {
		return nil, false
	}
	body := data[at+len(manifestsHead):]
	end, ok := endOfItems(body)
	w.manifests, w.rest = body[:end], body[end:]
	return w, ok && !mayList(w.manifests) && (w.handOver == 0 || w.handOver <= w.count())
}

// mayAlias reports whether something looks like an anchor and something like an alias: then a manifest may mean what
// another says.
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
func (w *scanned) readHead() bool {
	binding, handOver, field := "    "+bundling.BindingLabel+": ", "    "+fn.HandOver+": ", ""
	for line := range bytes.Lines(w.head[len(workHead):]) {
		text := strings.TrimSuffix(string(line), "\n")
		var into *string
		switch {
		case strings.HasPrefix(text, "  namespace: "):
			into, w.namespace = &w.cluster, line
		case strings.HasPrefix(text, "  name: "):
			into = &w.name
		case strings.HasPrefix(text, binding):
			into = &w.binding
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
	return w.cluster != "" && w.name != ""
}

// readHandOver reads the annotation as the bundler writes it; false for what is for a parser.
func (w *scanned) readHandOver(quoted string) bool {
	if len(quoted) < 3 || quoted[0] != '"' || quoted[len(quoted)-1] != '"' || w.handOver > 0 {
		return false
	}
	n, err := handOverCount(quoted[1:len(quoted)-1], math.MaxInt32)
	w.handOver = n
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

// endOfItems is where the list that body begins with ends; false when that cannot be told by its lines.
func endOfItems(body []byte) (end int, ok bool) {
	if !bytes.HasPrefix(body, []byte(itemStart)) {
		return 0, false
	}
	for end < len(body) {
		line := body[end:]
		line = line[:bytes.IndexByte(line, '\n')+1]
		switch {
		case bytes.HasPrefix(line, []byte("      ")) || bytes.HasPrefix(line, []byte(itemStart)) || len(line) == 1:
			end += len(line)
		default:
			return end, beginsField(line)
		}
	}
	return end, true
}

// beginsField reports whether a line begins a field of the spec, or of the work.
func beginsField(line []byte) bool {
	line = bytes.TrimPrefix(line, []byte("  "))
	return line[0] >= 'a' && line[0] <= 'z'
}

// count is how many manifests there are.
func (w *scanned) count() int { return 1 + bytes.Count(w.manifests, []byte("\n"+itemStart)) }

// items are the texts of the manifests.
func (w *scanned) items() [][]byte {
	out := make([][]byte, 0, w.count())
	for rest := w.manifests; len(rest) > 0; {
		end := bytes.Index(rest, []byte("\n"+itemStart)) + 1
		if end == 0 {
			end = len(rest)
		}
		out, rest = append(out, rest[:end]), rest[end:]
	}
	return out
}

func (w *scanned) deliveries(file string) []Delivery {
	d := Delivery{Cluster: w.cluster, Work: w.name, Binding: w.binding, File: file, settings: &settings{text: w.rest}}
	items := w.items()
	out := make([]Delivery, 0, len(items)+1)
	for _, text := range items {
		d.Content = newContent(text, itemIndent)
		out = append(out, d)
	}
	markEntries(out, w.handOver)
	d.Itself, d.Content = true, newContent(w.itself(), 0)
	return append(out, d)
}

// itself is the work without its manifests and its namespace, so that it is the same for all clusters it is the same for.
func (w *scanned) itself() []byte {
	before, after, _ := bytes.Cut(w.head, w.namespace)
	return bytes.Join([][]byte{before, after, []byte("spec:\n  workload: {}\n"), w.rest}, nil)
}
