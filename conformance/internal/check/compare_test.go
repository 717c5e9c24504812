package check

import (
	"slices"
	"testing"
)

func TestCompare(t *testing.T) {
	type object = map[string]any
	tests := []struct {
		name          string
		before, after object
		want          []string
	}{
		{
			name:   "what every server writes is no change",
			before: object{"metadata": object{"name": "a"}},
			after:  object{"metadata": object{"name": "a", "uid": "1", "generation": int64(1)}, "status": object{}},
		},
		{
			name:   "an added subtree is one change",
			before: object{"spec": object{}},
			after:  object{"spec": object{"rollout": object{"strategy": object{"type": "RollingUpdate"}}}},
			want:   []string{`added spec.rollout: {"strategy":{"type":"RollingUpdate"}}`},
		},
		{
			name:   "null that is dropped",
			before: object{"spec": object{"paused": nil}},
			after:  object{"spec": object{}},
			want:   []string{"removed spec.paused: null"},
		},
		{
			name:   "lists by position",
			before: object{"spec": object{"args": []any{object{"a": int64(1)}, "x"}}},
			after:  object{"spec": object{"args": []any{object{"a": int64(2)}}}},
			want:   []string{"changed spec.args[0].a: 1 -> 2", `removed spec.args[1]: "x"`},
		},
		{
			name:   "keys with separators and another type",
			before: object{"metadata": object{"labels": object{"a.b/c": "1"}}, "data": "x"},
			after:  object{"metadata": object{"labels": object{"a.b/c": "2"}}, "data": object{}},
			want:   []string{`changed data: "x" -> {}`, `changed metadata.labels["a.b/c"]: "1" -> "2"`},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, change := range Compare(test.before, test.after) {
				got = append(got, change.String())
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
