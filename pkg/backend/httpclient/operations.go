package httpclient

import (
	"context"
	"fmt"
	"net/http"

	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// Effect is the effect of one operation.
type Effect struct {
	Failure    *Failure
	Refused    bool   // the backend did not change anything
	Created    bool   // it did not exist before
	Difference string // how a resource that existed differs, or what is not known about it
	Calls      int
}

// Create sends a resource to the path for its creation. If it exists already, Create replaces it; if it cannot
// be replaced, but read, Create compares it.
func (c *Client) Create(ctx context.Context, it *table.Item) Effect {
	k := it.Kind
	a := c.do(ctx, request{method: http.MethodPost, path: it.CreatePath, mediaType: k.MediaType, body: it.Body})
	switch {
	case a.ok():
		return Effect{Created: true, Calls: 1}
	case a.hasStatus(k.Statuses.Missing):
		return Effect{Failure: c.missingReference(a), Refused: true, Calls: 1}
	case !a.hasStatus(k.Statuses.Exists):
		f := c.classify(a)
		return Effect{Failure: f, Refused: f.Class == ClassPermanent, Calls: 1}
	}
	o := c.acceptExisting(ctx, it, a)
	o.Calls++
	return o
}

// acceptExisting makes an existing resource the desired one.
func (c *Client) acceptExisting(ctx context.Context, it *table.Item, exists answer) Effect {
	k := it.Kind
	switch {
	case k.Replace != nil:
		a := c.put(ctx, it)
		if a.hasStatus(k.Statuses.Gone) {
			return Effect{Failure: c.conflict(exists), Calls: 1}
		}
		return Effect{Failure: c.replaceFailure(it, a), Calls: 1}
	case k.Read != nil:
		o := c.compareExisting(exists, c.get(ctx, it), it)
		o.Calls = 1
		return o
	}
	return Effect{Difference: "and it can be neither read nor replaced: its content is not known"}
}

// conflict is the failure of a creation that conflicts with another resource.
func (c *Client) conflict(exists answer) *Failure {
	f := c.classify(exists)
	f.Class, f.Message = ClassConflict, "another resource conflicts with it: "+f.Message
	return f
}

func (c *Client) missingReference(a answer) *Failure {
	f := c.classify(a)
	f.Class, f.Missing, f.Message = ClassRetry, true, "a resource that it refers to is missing: "+f.Message
	return f
}

func (c *Client) put(ctx context.Context, it *table.Item) answer {
	path, _ := it.Kind.Replace.Path(it.Parent, it.Key.ID) // Resolve has checked it
	return c.do(ctx, request{method: http.MethodPut, path: path, mediaType: it.Kind.MediaType, body: it.Body})
}

func (c *Client) get(ctx context.Context, it *table.Item) answer {
	path, _ := it.Kind.Read.Path(it.Parent, it.Key.ID) // Resolve has checked it
	return c.do(ctx, request{method: http.MethodGet, path: path, mediaType: it.Kind.MediaType, accept: true})
}

// replaceFailure is the failure of a replacement, nil if it succeeded.
func (c *Client) replaceFailure(it *table.Item, a answer) *Failure {
	switch s := it.Kind.Statuses; {
	case a.ok(), a.hasStatus(s.Unchanged):
		return nil
	case a.hasStatus(s.Missing) && !a.hasStatus(s.Gone):
		return c.missingReference(a)
	}
	return c.classify(a)
}

// Replace sends a resource to the path for its replacement. If it does not exist, Replace creates it.
func (c *Client) Replace(ctx context.Context, it *table.Item) Effect {
	a := c.put(ctx, it)
	if !a.hasStatus(it.Kind.Statuses.Gone) {
		return Effect{Failure: c.replaceFailure(it, a), Calls: 1}
	}
	post := c.do(ctx, request{method: http.MethodPost, path: it.CreatePath, mediaType: it.Kind.MediaType, body: it.Body})
	o := Effect{Calls: 2}
	switch s := it.Kind.Statuses; {
	case post.ok():
		o.Created = true
	case post.hasStatus(s.Missing):
		o.Failure = c.missingReference(post)
	case post.hasStatus(s.Exists):
		o.Failure = c.conflict(post)
	default:
		o.Failure = c.classify(post)
	}
	return o
}

// Delete deletes a resource. It succeeds if the resource does not exist.
func (c *Client) Delete(ctx context.Context, k *table.Kind, parent, id string) Effect {
	path, err := k.Delete.Path(parent, id)
	if err != nil {
		return Effect{Failure: &Failure{Class: ClassPermanent, Message: c.clean(fmt.Sprintf("delete: %v", err))}}
	}
	a := c.do(ctx, request{method: http.MethodDelete, path: path, mediaType: k.MediaType})
	if a.ok() || a.hasStatus(k.Statuses.Gone) {
		return Effect{Calls: 1}
	}
	return Effect{Failure: c.classify(a), Calls: 1}
}
