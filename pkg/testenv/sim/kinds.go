package main

import "math/rand/v2"

// kind is a kind of step, how many of it are in a deck, and how it is made.
type kind struct {
	name  string
	count int
	run   func(*simulation) error
}

// The first step is of two kinds.
const (
	startFleet    = "start"
	startVariants = "start of the variants"
)

var kinds = []kind{
	{"image changed", 4, (*simulation).changeImage},
	{"field changed on some objects", 3, (*simulation).changeField},
	{"object added", 2, (*simulation).addObject},
	{"object removed", 2, (*simulation).removeObject},
	{"cluster added", 2, (*simulation).addClusterStep},
	{"cluster removed", 2, (*simulation).removeCluster},
	{"cluster relabelled", 2, (*simulation).relabelCluster},
	{"property changed", 1, (*simulation).changeProperty},
	{"policy widened", 1, (*simulation).widenPolicy},
	{"template edited", 1, (*simulation).editTemplate},
	{"transform edited", 1, (*simulation).editTransform},
	{"upstream upgraded", 2, (*simulation).upgrade},
	{"upgrade with a conflict", 1, (*simulation).upgradeConflict},
	{"variants upgraded", 2, (*simulation).upgradeVariants},
	{"clusters of variants changed", 1, (*simulation).changeSites},
	{"what clusters report", 1, (*simulation).status},
	{"fault: empty inventory", 1, (*simulation).emptyInventory},
	{"fault: broken inventory", 1, (*simulation).brokenInventory},
	{"fault: render killed", 1, (*simulation).killRender},
	{"fault: cache damaged", 1, (*simulation).damageCache},
	{"fault: push overtaken", 1, (*simulation).overtakePush},
	{"fault: reconcile killed in its push", 1, (*simulation).killReconcile},
	{"fault: approval overtaken", 1, (*simulation).overtakeApproval},
}

// deck draws kinds: first each of them once, in an order of the seed, then as often as they count. Sizes do not change the order.
type deck struct {
	random *rand.Rand
	rest   []kind
	again  bool
}

func newDeck(random *rand.Rand) *deck { return &deck{random: random} }

func (d *deck) draw() kind {
	if len(d.rest) == 0 {
		for _, k := range kinds {
			n := 1
			if d.again {
				n = k.count
			}
			for range n {
				d.rest = append(d.rest, k)
			}
		}
		d.random.Shuffle(len(d.rest), func(i, j int) { d.rest[i], d.rest[j] = d.rest[j], d.rest[i] })
		d.again = true
	}
	k := d.rest[0]
	d.rest = d.rest[1:]
	return k
}
