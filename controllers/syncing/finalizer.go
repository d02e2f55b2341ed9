package syncing

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// refinalize puts a finalizer on an object that is as it was seen, or takes it away. One that is gone needs none.
func refinalize(
	ctx context.Context, in dynamic.ResourceInterface, o *krm.Object, name string, on bool,
) (*unstructured.Unstructured, error) {
	all := slices.DeleteFunc(finalizersOf(o), func(f string) bool { return f == name })
	if on {
		all = append(all, name)
	}
	slices.Sort(all)
	if all == nil {
		all = []string{}
	}
	data, err := json.Marshal(map[string]any{"metadata": map[string]any{"finalizers": all, "resourceVersion": resourceVersion(o),
		"uid": uidOf(o)}})
	if err != nil {
		return nil, err
	}
	made, err := in.Patch(ctx, o.Name(), types.MergePatchType, data, metav1.PatchOptions{FieldManager: manager})
	switch {
	case apierrors.IsConflict(err):
		return nil, errFaster
	case apierrors.IsNotFound(err):
		return nil, nil
	}
	return made, err
}

// finalizer puts the finalizer on an object of a shelf, or takes it away.
func (p *pass) finalizer(ctx context.Context, sh *shelf, o *krm.Object, on bool) (err error) {
	end := sh.begin(atOf(o))
	var answer *krm.Object
	defer func() { end(answer, p.worker) }()
	made, err := refinalize(ctx, sh.server.resource(sh.kind, o.Namespace()), o, p.ready.rule.Finalizer(), on)
	action := actionFree
	if on {
		action = actionBind
	}
	p.meters.operation(p.name, action, err)
	if err == nil && made != nil {
		answer, err = objectOf(made)
	}
	return err
}

// release takes the finalizer from related objects at the source that no primary needs it on any more: nothing that
// was made of them is left, and either they are being deleted, or all primaries of their cluster are known not to
// refer to them. No primary is worked meanwhile.
func (p *pass) release(ctx context.Context) {
	if p.look("") != nil { // copies that are not seen may be there
		return
	}
	wanted := map[string]bool{}
	doubtful := map[string]bool{} // clusters
	p.memory.mu.Lock()
	for _, pairs := range p.memory.pairs {
		for _, one := range pairs {
			wanted[one.Origin.String()] = wanted[one.Origin.String()] || one.Holds
		}
	}
	for key := range p.memory.undecided {
		cluster, _, _ := correspond.ParseKey(key) // a primary's
		doubtful[cluster] = true
	}
	p.memory.mu.Unlock()
	for _, s := range p.workspaces {
		if p.trouble[s.name] != nil {
			continue
		}
		doubt := sync.OnceValue(func() bool { return doubtful[s.name] || !p.allLooked(s) })
		for _, k := range p.ready.originKinds() {
			sh := p.ready.shelf(s.name, k)
			for _, o := range sh.find(holding(p.ready.rule.Finalizer())) {
				key := correspond.KeyIn(s.name, o.ID())
				if ctx.Err() != nil || p.isCopied(key) || !isDeleting(o) && (wanted[key] || doubt()) {
					continue
				}
				if err := p.finalizer(ctx, sh, o, false); err != nil {
					p.options.Log.Info("a finalizer cannot be taken away", "publishedresource", p.name, "object", key, "reason",
						oneLine(p.discreet(o, err)))
					p.agenda.after(p.options.FirstRetry, "")
				}
			}
		}
	}
}

// allLooked reports whether all primaries of a workspace had a round.
func (p *pass) allLooked(s *server) bool {
	objects := p.ready.shelf(s.name, p.ready.remote).objects()
	p.memory.mu.Lock()
	defer p.memory.mu.Unlock()
	for _, o := range objects {
		if !p.memory.looked[correspond.KeyIn(s.name, o.ID())] {
			return false
		}
	}
	return true
}

// isCopied reports whether there are copies of an object at the destination.
func (p *pass) isCopied(key string) bool {
	for _, rel := range p.ready.related {
		if !rel.fromSource {
			continue
		}
		for _, o := range p.ready.shelf("", rel.copied).find(ofInput(key)) {
			if correspond.TagsOf(o).Controller == p.ready.rule.Controller() {
				return true
			}
		}
	}
	return false
}

// discreet is what an API server says, unless that may hold values of a Secret.
func (p *pass) discreet(o *krm.Object, err error) string {
	if o.Is("", "Secret") {
		return reasonOf(err)
	}
	return err.Error()
}
