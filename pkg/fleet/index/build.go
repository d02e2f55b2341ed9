package index

import (
	"cmp"
	"slices"
)

// builder numbers policies, objects and texts in the order in which it adds them. index sorts them and numbers them again.
type builder struct {
	out      Index
	texts    *texts
	policies numbers[string]
	objects  numbers[Identity]
	counts   [][]int           // of objects: how often each text is met
	said     []numbers[string] // of objects: texts
	rows     map[string]*Cluster
	items    map[itemKey]Item // of texts that were added before
}

// itemKey is the same for deliveries that are the same Item.
type itemKey struct {
	shown  *shownText
	itself bool
}

// numbers numbers keys in the order in which they come.
type numbers[K comparable] map[K]int

// of is the number of a key, and whether the key is new.
func (n numbers[K]) of(key K) (i int, fresh bool) {
	i, known := n[key]
	if !known {
		i = len(n)
		n[key] = i
	}
	return i, !known
}

func newBuilder() *builder {
	return &builder{texts: &texts{}, policies: numbers[string]{}, objects: numbers[Identity]{}, rows: map[string]*Cluster{},
		items: map[itemKey]Item{}}
}

func (b *builder) row(name string) *Cluster {
	if b.rows[name] == nil {
		b.rows[name] = &Cluster{Name: name}
	}
	return b.rows[name]
}

func (b *builder) object(id Identity) int {
	n, fresh := b.objects.of(id)
	if fresh {
		b.out.Objects = append(b.out.Objects, Object{Identity: id})
		b.counts, b.said = append(b.counts, nil), append(b.said, numbers[string]{})
	}
	return n
}

func (b *builder) text(object int, text string) int {
	n, fresh := b.said[object].of(text)
	if fresh {
		b.counts[object] = append(b.counts[object], 0)
		b.out.Objects[object].Texts = append(b.out.Objects[object].Texts, text)
	}
	return n
}

// item adds an object with its text.
func (b *builder) item(d found) Item {
	key := itemKey{d.shownText, d.Itself}
	item, known := b.items[key]
	if !known {
		object := b.object(Identity{d.id, d.Itself})
		item = Item{object, b.text(object, d.text)}
		b.items[key] = item
	}
	b.counts[item.Object][item.Text]++
	return item
}

// loadKey is what deliveries to one cluster share if they are one Load.
type loadKey struct {
	policy     int
	work, file string
}

// cluster adds what some files deliver to a cluster.
func (b *builder) cluster(name string, all []found) {
	row, at := b.row(name), map[loadKey]int{}
	for _, d := range all {
		policy, _ := b.policies.of(d.Binding)
		key := loadKey{policy, d.Work, d.File}
		n, ok := at[key]
		if !ok {
			n = len(row.Loads)
			at[key] = n
			row.Loads = append(row.Loads, Load{Policy: key.policy, Work: key.work, File: key.file})
		}
		if d.HandOver {
			row.Loads[n].HandsOver = append(row.Loads[n].HandsOver, b.object(Identity{d.id, d.Itself}))
			continue
		}
		row.Loads[n].Items = append(row.Loads[n].Items, b.item(d))
	}
}

func (b *builder) index() *Index {
	policies := b.sortPolicies()
	texts := b.sortTexts()
	objects := b.sortObjects()
	for _, name := range sortedKeys(b.rows) {
		row := b.rows[name]
		for i := range row.Loads {
			l := &row.Loads[i]
			l.Policy = policies[l.Policy]
			for j, item := range l.Items {
				l.Items[j] = Item{objects[item.Object], texts[item.Object][item.Text]}
			}
			slices.SortStableFunc(l.Items, func(a, b Item) int {
				return cmp.Or(cmp.Compare(a.Object, b.Object), cmp.Compare(a.Text, b.Text))
			})
			l.Items = slices.Clip(l.Items)
			for j, object := range l.HandsOver {
				l.HandsOver[j] = objects[object]
			}
			slices.Sort(l.HandsOver)
		}
		slices.SortStableFunc(row.Loads, func(a, b Load) int {
			return cmp.Or(cmp.Compare(a.Policy, b.Policy), cmp.Compare(a.Work, b.Work), cmp.Compare(a.File, b.File))
		})
		b.out.Clusters = append(b.out.Clusters, *row)
	}
	return &b.out
}

func (b *builder) sortPolicies() (becomes []int) {
	b.out.Policies = sortedKeys(b.policies)
	becomes = make([]int, len(b.policies))
	for i, name := range b.out.Policies {
		becomes[b.policies[name]] = i
	}
	return becomes
}

// sortTexts puts the commonest text of every object first.
func (b *builder) sortTexts() (becomes [][]int) {
	becomes = make([][]int, len(b.out.Objects))
	for i := range b.out.Objects {
		o, count := &b.out.Objects[i], b.counts[i]
		o.Texts, becomes[i] = sorted(o.Texts, func(x, y int) int {
			return cmp.Or(cmp.Compare(count[y], count[x]), cmp.Compare(o.Texts[x], o.Texts[y]))
		})
	}
	return becomes
}

func (b *builder) sortObjects() (becomes []int) {
	all := b.out.Objects
	b.out.Objects, becomes = sorted(all, func(x, y int) int { return compareObjects(&all[x], &all[y]) })
	return becomes
}

// compareObjects sorts works last.
func compareObjects(x, y *Object) int {
	if x.Itself != y.Itself {
		if x.Itself {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Namespace, y.Namespace), cmp.Compare(x.Name, y.Name),
		cmp.Compare(x.Group, y.Group))
}

// sorted returns the values in the order of a comparison of their indexes, and the new index of each.
func sorted[T any](values []T, compare func(x, y int) int) (out []T, becomes []int) {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, compare)
	out, becomes = make([]T, len(values)), make([]int, len(values))
	for i, from := range order {
		out[i], becomes[from] = values[from], i
	}
	return out, becomes
}
