package combinedstatus

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

// sameButEmpty reports whether two values differ in nothing but what has no substance.
func sameButEmpty(a, b any) bool {
	a, b = substance(a), substance(b)
	return isEmpty(a) && isEmpty(b) || same(a, b)
}

// substance is v without the fields that an API server which knows the kind may leave out: those that are
// empty, false, or zero. Elements of lists stay, each without such fields.
func substance(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, part := range v {
			if kept := substance(part); !isEmpty(kept) {
				out[key] = kept
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = substance(v[i])
		}
		return out
	}
	return v
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return v == nil || v == "" || v == false || v == int64(0) || v == 0.0
}
