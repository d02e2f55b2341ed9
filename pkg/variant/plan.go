package variant

import "errors"

// Kind is the kind of a Plan.
type Kind string

// The kinds of Plan.
const (
	// Release: the variant is being deleted; Retire says what happens to its revisions.
	Release Kind = "Release"
	// Invalid: the spec is wrong. Trying again does not help.
	Invalid Kind = "Invalid"
	// UpstreamMissing: the upstream revision does not exist, or cannot be cloned.
	UpstreamMissing Kind = "UpstreamMissing"
	// Blocked: a user must act first; no package may be written.
	Blocked Kind = "Blocked"
	// EditedDraft: a draft that the deletion policy would delete holds commits by others; nothing may be
	// written until a user publishes or deletes it.
	EditedDraft Kind = "EditedDraft"
	// CreateClone: make the first revision in Workspace, of Upstream.
	CreateClone Kind = "CreateClone"
	// UpdateDraft: mutate each of Targets in place, where that changes something. A target that is
	// already proposed must not change: if it would, that is an error.
	UpdateDraft Kind = "UpdateDraft"
	// UpgradeFromPublished: merge what has changed from OldUpstream to Upstream into Targets[0], in
	// Workspace.
	UpgradeFromPublished Kind = "UpgradeFromPublished"
	// EditFromPublished: mutate a copy of Targets[0] in Workspace, if that changes something.
	EditFromPublished Kind = "EditFromPublished"
)

// Plan is what to do now. Which fields are set follows from Kind; Adopt and Retire may come with
// any kind but Invalid, UpstreamMissing and EditedDraft. What is in Retire is retired after its replacement was made.
type Plan struct {
	Kind   Kind
	Rule   string // the name of the rule that decided
	Reason string // one line; the error's text of a kind that does nothing
	// Upstream is the resolved upstream, OldUpstream the one that the target was made of. An
	// Upstream that a target was made of and that was deleted, see Follow in the API, has no Name, and its
	// Self is the target's lock; only UpdateDraft and EditFromPublished have it. An OldUpstream that no
	// Repository lists any more has no Name either.
	Upstream, OldUpstream *Revision
	// Targets are the downstream revisions to change.
	Targets []Revision
	// Workspace is the name of the revision to make.
	Workspace string
	// Restore says that the proposed deletion of Targets[0] is to be undone.
	Restore bool
	// Adopt are revisions to take over.
	Adopt []Revision
	// Retire are owned revisions that are no longer wanted.
	Retire []Retirement
	// Kept are owned revisions that are no longer wanted, and are not retired.
	Kept []Kept
	// Newer is a revision of the package that another owner published after Targets[0]: what it changed is not in what the
	// plan makes, and the approval of that would undo it.
	Newer *Revision
}

// Retirement is what happens to a revision that is no longer wanted.
type Retirement struct {
	Revision Revision
	Action   Action
}

// Action is a way to retire a revision.
type Action string

// The actions.
const (
	Delete          Action = "Delete"          // a draft or proposal is deleted
	ProposeDeletion Action = "ProposeDeletion" // what is published is proposed for deletion
	Orphan          Action = "Orphan"          // it stays, without an owner
)

// Err is what keeps the plan from doing anything, nil when it does.
func (p *Plan) Err() error {
	switch p.Kind {
	case Invalid, UpstreamMissing, Blocked, EditedDraft:
		return errors.New(p.Reason)
	}
	return nil
}
