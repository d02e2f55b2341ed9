package porchconfig

// Validate returns a *ValidationError with every fault of the Repository, or nil.
func (r *Repository) Validate() error {
	var m messages
	switch s := &r.Spec; s.Type {
	case RepositoryTypeGit:
		if s.Git == nil {
			m.require("spec.git", "")
		} else {
			m.require("spec.git.repo", s.Git.Repo)
		}
	case RepositoryTypeOCI:
		if s.OCI == nil {
			m.require("spec.oci", "")
		} else {
			m.require("spec.oci.registry", s.OCI.Registry)
		}
	case "":
		m.require("spec.type", "")
	default:
		m.add("spec.type can only be %q or %q", RepositoryTypeGit, RepositoryTypeOCI)
	}
	return m.err()
}
