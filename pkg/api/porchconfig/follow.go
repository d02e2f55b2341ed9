package porchconfig

import (
	"fmt"
	"strconv"

	"github.com/Masterminds/semver/v3"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// FollowLatest follows the highest published revision.
const FollowLatest = "latest"

// maxFollow is the longest range in bytes; usual ones have a dozen.
const maxFollow = 256

// Follow is the set of published revisions that a variant may follow. The zero value is empty.
//
// +kubebuilder:object:generate=false
type Follow struct {
	latest  bool
	numbers *semver.Constraints
}

// ParseFollow reads the text of an upstream's follow: "latest", or a range of semantic versions in
// which revision n is version n.0.0. A range without any revision number is an error.
func ParseFollow(text string) (Follow, error) {
	if text == FollowLatest {
		return Follow{latest: true}, nil
	}
	if len(text) > maxFollow {
		return Follow{}, fmt.Errorf("want at most %d characters, got %d", maxFollow, len(text))
	}
	numbers, err := semver.NewConstraint(text)
	if err != nil {
		return Follow{}, err
	}
	f := Follow{numbers: numbers}
	if !f.allowsSome(text) {
		return Follow{}, fmt.Errorf("no revision number is in %q", text)
	}
	return f, nil
}

var digits = lazyregexp.New("[0-9]+")

// allowsSome tries 1 and the numbers in text with their neighbours. That is enough: a range begins and
// ends at numbers in its text.
func (f Follow) allowsSome(text string) bool {
	for _, word := range digits.FindAllString(text, -1) {
		n, err := strconv.Atoi(word)
		if err == nil && (f.Allows(n-1) || f.Allows(n) || f.Allows(n+1)) {
			return true
		}
	}
	return f.Allows(1)
}

// Allows reports whether the published revision with this number, 1 or more, may be followed.
func (f Follow) Allows(revision int) bool {
	if revision < 1 || f.latest || f.numbers == nil {
		return revision >= 1 && f.latest
	}
	return f.numbers.Check(semver.New(uint64(revision), 0, 0, "", ""))
}

// ValidateFollow returns a *ValidationError when Follow is no range or a revision is given too, or nil.
func (u *Upstream) ValidateFollow() error { return u.followFaults().Err() }

func (u *Upstream) followFaults() (m Messages) {
	if u.Follow == "" {
		return nil
	}
	if u.Revision != 0 || u.WorkspaceName != "" {
		m.Add("spec.upstream.follow excludes spec.upstream.revision and spec.upstream.workspaceName")
	}
	if _, err := ParseFollow(u.Follow); err != nil {
		m.Add("spec.upstream.follow must be %q or a range of revision numbers such as %q: %v", FollowLatest, ">=2 <5", err)
	}
	return m
}
