package backend

import (
	"context"
	"fmt"
	"net/http"
)

// operated is what came of one operation.
type operated struct {
	failure *Failure
	refused bool   // the backend has said that it did nothing
	created bool   // it was not there before
	unlike  string // it was there already, and what is not known about it, or not as it should be
	calls   int
}

// create sends a resource to where it is created. One that is there already is replaced; where it
// cannot be, it is taken to be what it should be if it can be read.
func (c *Client) create(ctx context.Context, it *item) operated {
	k := it.kind
	a := c.ask(ctx, request{method: http.MethodPost, path: it.createAt, mediaType: k.mediaType, body: it.body})
	switch {
	case a.ok():
		return operated{created: true, calls: 1}
	case a.in(k.statuses.missing):
		return operated{failure: c.missing(a), refused: true, calls: 1}
	case !a.in(k.statuses.exists):
		f := c.classify(a)
		return operated{failure: f, refused: f.Class == ClassPermanent, calls: 1}
	}
	o := c.accept(ctx, it, a)
	o.calls++
	return o
}

// accept makes of a resource that exists what it should be.
func (c *Client) accept(ctx context.Context, it *item, exists answer) operated {
	k := it.kind
	switch {
	case k.replace != nil:
		a := c.put(ctx, it)
		if a.in(k.statuses.gone) {
			return operated{failure: c.elsewhere(exists), calls: 1}
		}
		return operated{failure: c.replaced(it, a), calls: 1}
	case k.read != nil:
		o := c.compare(exists, c.get(ctx, it), it)
		o.calls = 1
		return o
	}
	return operated{unlike: "and it can be neither read nor replaced: whether it is as it should be is not known"}
}

// elsewhere is the failure of a creation whose answer was about something else than the resource.
func (c *Client) elsewhere(exists answer) *Failure {
	f := c.classify(exists)
	f.Class, f.Message = ClassConflict, "something else is in its way: "+f.Message
	return f
}

func (c *Client) missing(a answer) *Failure {
	f := c.classify(a)
	f.Class, f.Missing, f.Message = ClassRetry, true, "something that it names is missing: "+f.Message
	return f
}

func (c *Client) put(ctx context.Context, it *item) answer {
	path, _ := it.kind.replace.path(it.parent, it.key.ID) // understand has looked at it
	return c.ask(ctx, request{method: http.MethodPut, path: path, mediaType: it.kind.mediaType, body: it.body})
}

func (c *Client) get(ctx context.Context, it *item) answer {
	path, _ := it.kind.read.path(it.parent, it.key.ID) // understand has looked at it
	return c.ask(ctx, request{method: http.MethodGet, path: path, mediaType: it.kind.mediaType, accept: true})
}

// replaced is what a replacement failed by, if it did.
func (c *Client) replaced(it *item, a answer) *Failure {
	switch s := it.kind.statuses; {
	case a.ok(), a.in(s.unchanged):
		return nil
	case a.in(s.missing) && !a.in(s.gone):
		return c.missing(a)
	}
	return c.classify(a)
}

// replace sends a resource to where it is replaced. One that is not there is created.
func (c *Client) replace(ctx context.Context, it *item) operated {
	a := c.put(ctx, it)
	if !a.in(it.kind.statuses.gone) {
		return operated{failure: c.replaced(it, a), calls: 1}
	}
	post := c.ask(ctx, request{method: http.MethodPost, path: it.createAt, mediaType: it.kind.mediaType, body: it.body})
	o := operated{calls: 2}
	switch s := it.kind.statuses; {
	case post.ok():
		o.created = true
	case post.in(s.missing):
		o.failure = c.missing(post)
	case post.in(s.exists):
		o.failure = c.elsewhere(post)
	default:
		o.failure = c.classify(post)
	}
	return o
}

// remove deletes a resource. One that is not there is deleted.
func (c *Client) remove(ctx context.Context, k *kind, parent, id string) operated {
	path, err := k.delete.path(parent, id)
	if err != nil {
		return operated{failure: &Failure{Class: ClassPermanent, Message: c.clean(fmt.Sprintf("delete: %v", err))}}
	}
	a := c.ask(ctx, request{method: http.MethodDelete, path: path, mediaType: k.mediaType})
	if a.ok() || a.in(k.statuses.gone) {
		return operated{calls: 1}
	}
	return operated{failure: c.classify(a), calls: 1}
}
