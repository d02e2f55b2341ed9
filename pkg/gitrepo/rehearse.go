package gitrepo

// Rehearse makes every push from now on stop short of the remote: it changes the view, and checks
// against the view what the server would check against its refs. There is no way back, so that a
// dry run cannot end as a wet one.
func (r *Repo) Rehearse() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rehearsal = true
}

func (r *Repo) rehearsing() bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.rehearsal
}

// rehearse is a push whose server is the view.
func (p *push) rehearse() error {
	r := p.stage.repo
	for _, u := range p.updates {
		if have, _ := r.Ref(u.Name); have.Target != u.Old {
			return &StaleError{URL: r.URL(), Ref: u.Name, Want: u.Old, Have: have.Target}
		}
	}
	packed, err := p.stage.reachable(p.tips())
	if err != nil {
		return &RejectedError{URL: r.URL(), Status: "the push is not complete: " + err.Error()}
	}
	p.packed = packed
	p.view()
	return nil
}
