package publishedresource

import (
	"context"
	"fmt"
	"time"
)

// awaitChange returns connections to the workspaces once they have changed, and nil when ctx ends. The controller goes on with
// the former ones while the new ones cannot be read or are not valid.
func (c *controller) awaitChange(ctx context.Context) []*server {
	if c.options.Changed == nil {
		<-ctx.Done()
		return nil
	}
	for last := ""; ; {
		servers, err := c.changed()
		switch {
		case servers != nil:
			c.options.Log.Info("the workspaces have changed; the controller starts anew", "workspaces", len(servers))
			return servers
		case err == nil:
			last = ""
		case err.Error() != last:
			last = err.Error()
			c.options.Log.Error(err, "the workspaces have changed and cannot be used; the controller goes on with the former ones")
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(c.options.ReloadInterval):
		}
	}
}

// changed connects to workspaces that have changed; nil if they have not. It tries those that cannot be used again: a file that
// they name may have changed.
func (c *controller) changed() ([]*server, error) {
	all, err := c.options.Changed()
	if all == nil {
		all = c.rejected
	}
	if err != nil || all == nil {
		return nil, err
	}
	c.rejected = all
	if err := checkWorkspaces(all); err != nil {
		return nil, err
	}
	servers, err := c.connectAll(all)
	if err == nil {
		c.rejected = nil
	}
	return servers, err
}

// connectAll prepares connections to workspaces. It sends no request yet.
func (c *controller) connectAll(all []Workspace) (servers []*server, err error) {
	for _, w := range all {
		s, err := connect(w.Name, w.path(), w.Config, c.metrics)
		if err != nil {
			return nil, fmt.Errorf("connect to the workspace %q: %w", w.Name, err)
		}
		servers = append(servers, s)
	}
	return servers, nil
}
