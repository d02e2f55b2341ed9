package revision

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// Identity is a person or program, as commits name it.
type Identity struct {
	Name  string
	Email string
}

// porchIdentity is the committer of every commit, and the author of those without a named user.
var porchIdentity = Identity{Name: "Package Orchestration Service", Email: "porch@kpt.dev"}

// Stamp is the user who asked for a change, and the time. Neither comes from the environment: the same Stamp gives the same
// commit. The zero Stamp is Porch's service, at the time of the parent commit.
type Stamp struct {
	User Identity
	When time.Time
}

// author is the repository's author, else the user, else Porch's service.
func (s *Store) author(user Identity) Identity {
	for _, id := range []Identity{{s.cfg.Author, s.cfg.Email}, user} {
		if id != (Identity{}) {
			return Identity{Name: cmp.Or(id.Name, id.Email), Email: id.Email}
		}
	}
	return porchIdentity
}

// commit stages a commit that is no older than its parents, than the stamp, and than the
// beginning of Unix time.
func (s *Store) commit(stage *gitrepo.Stage, tree gitrepo.Hash, msg string, by Stamp, parents ...gitrepo.Hash) (gitrepo.Hash, error) {
	when := time.Unix(0, 0)
	if by.When.After(when) {
		when = by.When
	}
	for _, p := range parents {
		at, err := stage.CommitTime(p)
		if err != nil {
			return gitrepo.Hash{}, err
		}
		if at.After(when) {
			when = at
		}
	}
	author := s.author(by.User)
	return stage.Commit(gitrepo.Commit{
		Tree: tree, Parents: parents, Message: msg,
		Author:    gitrepo.Signature{Name: author.Name, Email: author.Email, When: when},
		Committer: gitrepo.Signature{Name: porchIdentity.Name, Email: porchIdentity.Email, When: when},
	})
}

// Keys of trailers.
const (
	// TrailerSet names the set that made the owner: namespace/name.
	TrailerSet = "Waybill-Set"
	// TrailerDeletionPolicy is the owner's deletion policy if it is not the default.
	TrailerDeletionPolicy = "Waybill-Deletion-Policy"
	// TrailerRepository names the Repository object through which the owner made the revision. Other Repository objects may
	// show the same revision. Older revisions of Waybill do not have it.
	TrailerRepository = "Waybill-Repository"
	// TrailerDirectory is the directory of that Repository object at the time; absent if it was the whole repository.
	TrailerDirectory = "Waybill-Directory"
	// TrailerExceedsBudget names the budget that a draft exceeds, and why that is allowed.
	TrailerExceedsBudget = "Waybill-Exceeds-Budget"
	// TrailerAdopted is a commit that the owner took over, which others made.
	TrailerAdopted = "Waybill-Adopted"
	// TrailerLabels are those that an owner gave to revisions that it adopted, as JSON.
	TrailerLabels = "Waybill-Labels"
	// TrailerAnnotations are the annotations, likewise.
	TrailerAnnotations = "Waybill-Annotations"
)

var trailerKeys = []string{TrailerRepository, TrailerDirectory, TrailerSet, TrailerDeletionPolicy, TrailerExceedsBudget,
	TrailerAdopted, TrailerLabels, TrailerAnnotations}

// Trailer is a line of a commit message, which Porch ignores, for data that Git has no
// other place for.
type Trailer struct{ Key, Value string }

// Trailers are those of one commit, in order.
type Trailers []Trailer

// Get is the value of the first trailer with that key, "" when there is none.
func (ts Trailers) Get(key string) string {
	if i := slices.IndexFunc(ts, func(t Trailer) bool { return t.Key == key }); i >= 0 {
		return ts[i].Value
	}
	return ""
}

// ofOwner are those that say something about the owner, and so are those of later commits, too.
func (ts Trailers) ofOwner() Trailers {
	return slices.DeleteFunc(slices.Clone(ts), func(t Trailer) bool {
		return t.Key == TrailerAdopted || t.Key == TrailerLabels || t.Key == TrailerAnnotations
	})
}

// FormatTrailers writes an owner and trailers as commits have them, a line each.
func FormatTrailers(owner Owner, ts Trailers) string {
	text := ""
	if owner != (Owner{}) {
		text = ownerPrefix + owner.String() + "\n"
	}
	for _, t := range ts {
		text += t.Key + ": " + strings.Join(strings.Fields(t.Value), " ") + "\n"
	}
	return text
}

// ParseTrailers reads what FormatTrailers wrote, or a commit message.
func ParseTrailers(text string) (Owner, Trailers) { return parseOwner(text), parseTrailers(text) }

// parseTrailers returns the trailers of a message.
func parseTrailers(message string) (ts Trailers) {
	for line := range strings.Lines(message) {
		key, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
		if ok && slices.Contains(trailerKeys, key) {
			ts = append(ts, Trailer{key, value})
		}
	}
	return ts
}
