package apply

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// alreadyDone reports whether an earlier run of a resumed plan executed the operation. A replacement is
// repeated: that does no harm.
func (r *run) alreadyDone(t *task) bool {
	switch t.op.Op {
	case waybill.OpDelete, waybill.OpMove:
		_, there := r.inventory.Record(t.op.Number)
		return !there
	case waybill.OpCreate:
		n, there := r.byKey[t.key]
		rec, _ := r.inventory.Record(n)
		return there && rec.State == "" && rec.Hash == t.item.Hash
	}
	return false
}

// recordIntent records what is about to be tried, so that the inventory has it if the process is killed.
func (r *run) recordIntent(t *task) {
	switch t.op.Op {
	case waybill.OpCreate:
		rec := r.newRecord(t)
		rec.State, rec.Number = waybill.StateCreating, r.inventory.Reserve()
		old := r.numbersOf(t.key)
		t.wasUnknown = len(old) == 0
		r.update(old, r.keepReferences(t.key, rec))
	case waybill.OpReplace:
		rec := r.newRecord(t)
		rec.State, rec.Number = waybill.StateUnknown, r.numberOf(t.key)
		r.update(nil, r.keepReferences(t.key, rec))
	case waybill.OpDelete:
		r.update(nil, r.affected(t)...)
	}
}

// keepReferences adds the references of the old record to a new one: until the backend has the new body, the resource may
// have either.
func (r *run) keepReferences(key table.Key, rec waybill.BackendRecord) waybill.BackendRecord {
	old, _ := r.inventory.Record(r.byKey[key])
	for _, s := range old.References {
		if !slices.Contains(rec.References, s) {
			rec.References = append(rec.References, s)
		}
	}
	return rec
}

// affected are the records of everything that a deletion may change: the resource, what refers to it, and so on. It follows
// only resources that the backend may delete, too; one that can be replaced is not deleted with what it refers to.
func (r *run) affected(t *task) (put []waybill.BackendRecord) {
	seen := map[int64]bool{}
	mark := func(number int64) (rec waybill.BackendRecord) {
		seen[number] = true
		if rec, _ = r.inventory.Record(number); rec.State == "" {
			rec.State = waybill.StateUnknown
			put = append(put, rec)
		}
		return rec
	}
	mark(t.op.Number)
	for keys := []table.Key{t.key}; len(keys) > 0; {
		key := keys[len(keys)-1]
		keys = keys[:len(keys)-1]
		for number, reference := range r.referrers[key] {
			if seen[number] {
				continue
			}
			rec := mark(number)
			if k := r.table.Kind(rec.Kind); k == nil || !reference || k.Replace == nil {
				keys = append(keys, r.table.KeyOf(rec))
			}
		}
	}
	return put
}

// recordSuccess records what was done.
func (r *run) recordSuccess(t *task, o httpclient.Effect) {
	if t.op.Op == waybill.OpDelete {
		r.update([]int64{t.op.Number})
		return
	}
	rec := r.newRecord(t)
	if rec.Number = r.numberOf(t.key); t.op.Op == waybill.OpReplace && o.Created {
		old := rec.Number
		rec.Number = r.inventory.Reserve()
		r.update([]int64{old}, rec)
		return
	}
	r.update(nil, rec)
}

// undoIntent removes the record of a creation that the backend refused, unless an earlier attempt may have
// created the resource.
func (r *run) undoIntent(t *task) {
	if t.op.Op == waybill.OpCreate && t.wasUnknown {
		r.update(r.numbersOf(t.key))
	}
}

// recordMove records that a resource belongs to another Translation, or has another index in it.
func (r *run) recordMove(t *task) {
	rec, _ := r.inventory.Record(t.op.Number)
	rec.Translation, rec.Index = t.op.Translation, t.op.Index
	r.update(nil, rec)
}

// newRecord is the record of a resource once it is applied, without its number.
func (r *run) newRecord(t *task) waybill.BackendRecord {
	return waybill.BackendRecord{
		Kind: t.op.Kind, ID: t.op.ID, Parent: t.op.Parent, Hash: t.item.Hash, Fields: t.item.FieldDigests, References: t.item.References(),
		Translation: t.op.Translation, Index: t.op.Index,
	}
}

// numberOf is the number of the resource, a new one if it has none.
func (r *run) numberOf(key table.Key) int64 {
	if n, there := r.byKey[key]; there {
		return n
	}
	return r.inventory.Reserve()
}

func (r *run) numbersOf(key table.Key) []int64 {
	if n, there := r.byKey[key]; there {
		return []int64{n}
	}
	return nil
}
