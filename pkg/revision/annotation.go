package revision

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porch"
)

// Annotation is the machine-readable line of a commit message. Its keys come in the order of
// the fields.
type Annotation struct {
	Package   string      `json:"package,omitempty"` // path in the repository
	Workspace string      `json:"workspaceName,omitempty"`
	Revision  string      `json:"revision,omitempty"` // "0" on drafts
	Task      *porch.Task `json:"task,omitempty"`
}

const (
	annotationPrefix = "kpt:"
	ownerPrefix      = "Waybill-Owner: "
)

// Owner is the object for which a revision was made. Git has no owner references: the owner is a
// line of the commit message, which Porch ignores.
type Owner struct {
	Kind      string
	Namespace string
	Name      string
}

// String is the form of the trailer: Kind namespace/name. The zero Owner is "".
func (o Owner) String() string {
	if o == (Owner{}) {
		return ""
	}
	return o.Kind + " " + o.Namespace + "/" + o.Name
}

// check refuses an owner that could not be read back. The zero Owner means none, and is valid.
func (o Owner) check() error {
	if o != (Owner{}) && parseOwner(ownerPrefix+o.String()) != o {
		return fmt.Errorf("owner %q must have kind, namespace and name, without space or slash", o)
	}
	return nil
}

// parseOwner returns the owner that a message names, the zero Owner if there is none or it is malformed.
func parseOwner(message string) Owner {
	for line := range strings.Lines(message) {
		s, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), ownerPrefix)
		if !ok {
			continue
		}
		kind, rest, _ := strings.Cut(s, " ")
		namespace, name, _ := strings.Cut(rest, "/")
		if plain(kind) && plain(namespace) && plain(name) {
			return Owner{Kind: kind, Namespace: namespace, Name: name}
		}
	}
	return Owner{}
}

func plain(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == '/' || r == 0x7f })
}

// message composes a commit message. Like Porch it ends the subject of a draft's commits with one newline
// more than that of others, so that both make the same commit ids.
func message(subject string, a Annotation, owner Owner, trailers ...Trailer) (string, error) {
	line, err := json.Marshal(a)
	if err != nil {
		return "", fmt.Errorf("annotate commit %q: %w", subject, err)
	}
	if a.Task != nil {
		subject += "\n"
	}
	msg := subject + "\n\n" + annotationPrefix + string(line) + "\n"
	if owner != (Owner{}) || len(trailers) > 0 {
		msg += "\n"
	}
	return msg + FormatTrailers(owner, trailers), nil
}

// parseAnnotations reads every annotation of a commit message. It ignores other lines, and annotations that are not valid.
func parseAnnotations(message string) []Annotation {
	var out []Annotation
	for line := range strings.Lines(message) {
		s, ok := strings.CutPrefix(line, annotationPrefix)
		if !ok {
			continue
		}
		var a Annotation
		if json.Unmarshal([]byte(s), &a) == nil {
			out = append(out, a)
		}
	}
	return out
}

// annotationFor returns the annotation for the package at path.
func annotationFor(message, path string) (Annotation, bool) {
	for _, a := range parseAnnotations(message) {
		if a.Package == path {
			return a, true
		}
	}
	return Annotation{}, false
}

// subject is the first line of the message of a commit that a task made.
func subject(t porch.TaskType) string {
	switch t {
	case porch.TaskInit:
		return "Creating new empty revision"
	case porch.TaskClone:
		return "Creating new revision by cloning"
	case porch.TaskEdit:
		return "Creating new revision by copying previous revision"
	case porch.TaskUpgrade:
		return "Upgrading revision"
	case porch.TaskRender:
		return "Rendering package"
	case "":
		return "Intermediate commit"
	}
	return "Intermediate commit: " + string(t)
}
