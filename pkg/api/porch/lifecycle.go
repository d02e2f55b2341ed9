package porch

// Lifecycle is the stage of life a package revision is in.
type Lifecycle string

// The stages. DeletionProposed is still published: its content stays in force.
const (
	Draft            Lifecycle = "Draft"
	Proposed         Lifecycle = "Proposed"
	Published        Lifecycle = "Published"
	DeletionProposed Lifecycle = "DeletionProposed"
)

// IsPublished reports whether a revision of this stage is in force.
func (l Lifecycle) IsPublished() bool { return l == Published || l == DeletionProposed }
