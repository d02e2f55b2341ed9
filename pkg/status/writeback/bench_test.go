package writeback

import (
	"fmt"
	"testing"

	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// BenchmarkPass resolves two policies over 200 objects and decides about each, in fleets of several sizes.
func BenchmarkPass(b *testing.B) {
	const objects = 200
	for _, clusters := range []int{10, 100, 1000} {
		x, singles, many := reports.New("git"), Selection{Policy: "a"}, Selection{Policy: "b"}
		for c := range clusters {
			many.Destinations = append(many.Destinations, fmt.Sprintf("edge%d", c))
		}
		singles.Destinations = many.Destinations[:1]
		for n := range objects {
			singles.Objects = append(singles.Objects, Selected{Object: object(n), Singleton: true})
			many.Objects = append(many.Objects, Selected{Object: object(n), Multi: true})
			for i, c := range many.Destinations {
				report(b, x, object(n), c, fmt.Sprint("r", n), m{"replicas": int64(i), "readyReplicas": int64(n)})
			}
		}
		obj := subject(m{"replicas": int64(9)}, SingletonLabel)
		checkLaws(b, object(7), obj, Resolve([]Selection{singles, many}).Of(object(7)), x.Of(object(7)), Options{})
		b.Run(fmt.Sprintf("objects=%d/clusters=%d", objects, clusters), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w := Resolve([]Selection{singles, many})
				for n := range objects {
					if d := Decide(ObjectOf(object(n), obj), w.Of(object(n)), x.Of(object(n)), Options{}); d.Outcome != Aggregate {
						b.Fatal(d)
					}
				}
			}
		})
	}
}
