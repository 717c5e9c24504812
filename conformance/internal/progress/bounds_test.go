package progress

import (
	"testing"

	"conformance/internal/live"
)

// poolOf returns a pool with a rollout strategy.
func poolOf(surge, unavailable any) *pool {
	return &pool{deployment: &live.Object{Object: map[string]any{"spec": map[string]any{
		"rollout": map[string]any{"strategy": map[string]any{"rollingUpdate": map[string]any{
			"maxSurge": surge, "maxUnavailable": unavailable,
		}}},
	}}}}
}

func TestBoundsOfARollout(t *testing.T) {
	for name, test := range map[string]struct {
		surge, unavailable any
		size, max, min     int64
	}{
		"numbers":                          {int64(1), int64(0), 3, 4, 3},
		"a surge in percent is rounded up": {"25%", int64(0), 3, 4, 3},
		"unavailable is rounded down":      {int64(0), "50%", 3, 3, 2},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := newBounds(poolOf(test.surge, test.unavailable), test.size)
			if err != nil {
				t.Fatal(err)
			}
			if got.max != test.max || got.min != test.min {
				t.Errorf("got %d..%d, want %d..%d", got.min, got.max, test.min, test.max)
			}
		})
	}
}

func TestBoundsWithoutStrategy(t *testing.T) {
	if got, err := newBounds(poolOf(nil, nil), 1); err == nil {
		t.Errorf("got %+v", got)
	}
}
