package status

// same reports whether two values mean the same to an API server, which keeps no null and does not tell 1
// from 1.0. (Numbers of results are text: NaN is NaN.)
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, isMap := b.(map[string]any)
		return isMap && sameMaps(a, b)
	case []any:
		b, isList := b.([]any)
		if !isList || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !same(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b || sameNumber(a, b)
}

func sameMaps(a, b map[string]any) bool {
	for key := range a {
		if !same(a[key], b[key]) {
			return false
		}
	}
	for key := range b {
		if _, both := a[key]; !both && b[key] != nil {
			return false
		}
	}
	return true
}

func sameNumber(a, b any) bool {
	if f, is := b.(float64); is {
		i, whole := a.(int64)
		return whole && float64(i) == f
	}
	f, is := a.(float64)
	i, whole := b.(int64)
	return is && whole && float64(i) == f
}
