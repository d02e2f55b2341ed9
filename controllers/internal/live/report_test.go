package live

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestTruncate(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, text, want string
		most               int
	}{
		"fits":  {"text that fits is left alone", "hello", "hello", 5},
		"long":  {"what is cut says so", "hello world", "he...", 5},
		"runes": {"no letter is cut in two", "ééééé", "éé...", 8},
	} {
		if diff := cmp.Diff(tc.want, TruncateTo(tc.text, tc.most)); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, tc.reason, diff)
		}
	}
}

func TestConditionsAreBounded(t *testing.T) {
	var conditions []metav1.Condition
	SetCondition(&conditions, metav1.Condition{Type: "Ready", Status: "False", Reason: "Because", Message: strings.Repeat("x", MaxMessage+1)}, time.Now())
	if n := len(conditions[0].Message); n != MaxMessage {
		t.Errorf("the API server takes %d bytes of a message, got %d", MaxMessage, n)
	}
}
