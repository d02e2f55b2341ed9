package gitrepo

// Weight is how many bytes the objects under a commit have, those of all its history, as the view
// holds them. Objects in known do not count, and nor does what only they lead to; those that do count are
// added to it.
func (r *Repo) Weight(commit Hash, known map[Hash]struct{}) (bytes int64, err error) {
	for todo := []Hash{commit}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, is := known[id]; is || id.IsZero() {
			continue
		}
		known[id] = struct{}{}
		o, err := r.object(id)
		if err != nil || o == nil { // a submodule's commit is not here
			if err != nil {
				return 0, err
			}
			continue
		}
		bytes += o.held()
		next, err := references(r, o)
		if err != nil {
			return 0, err
		}
		todo = append(todo, next...)
	}
	return bytes, nil
}
