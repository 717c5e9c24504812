package agree

import (
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

const definitionYAML = `
spec:
  group: example.com
  names: {kind: Thing}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        x-kubernetes-validations:
        - {rule: self.a == 1, message: " a must be one\n"}
        properties:
          list:
            items:
              x-kubernetes-validations:
              - {rule: self.b == 1}
          map:
            additionalProperties:
              x-kubernetes-validations:
              - {rule: self.c == 1, message: c must be one}
          x-kubernetes-validations:
            description: A property of this name is no rule.
            items: {type: object}
  - name: v2
    schema:
      openAPIV3Schema:
        x-kubernetes-validations:
        - {rule: self.a == 1, message: a must be one}
`

func TestRules(t *testing.T) {
	definition := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(definitionYAML), &definition.Object); err != nil {
		t.Fatal(err)
	}
	kind := schema.GroupKind{Group: "example.com", Kind: "Thing"}
	rules := NewRules([]*unstructured.Unstructured{definition})
	if want := []string{"a must be one", "c must be one", "self.b == 1"}; !slices.Equal(rules[kind], want) {
		t.Fatalf("got %q, want %q", rules[kind], want)
	}
	const message, noMessage = `Invalid value: "object": a must be one`, "Invalid value: failed rule: self.b == 1"
	const unchecked = "Invalid value: null: some validation rules were not checked because the object was invalid"
	tests := []struct {
		name   string
		causes []string
		want   bool
	}{
		{"the message of a rule", []string{message}, true},
		{"a rule without a message", []string{noMessage}, true},
		{"a rule that failed to run", []string{"Invalid value: no such key: x evaluating rule: c must be one"}, true},
		{"the schema", []string{"Required value"}, false},
		{"the schema beside a rule", []string{message, "Required value"}, false},
		{"the schema, so that rules were not checked", []string{"Required value", unchecked}, false},
		{"rules that are too expensive", []string{"Invalid value: validation failed due to running out of cost budget, no further validation rules will be run"}, true},
		{"nothing", nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var causes []metav1.StatusCause
			for _, cause := range test.causes {
				causes = append(causes, metav1.StatusCause{Message: cause})
			}
			if got := rules.explain(kind, causes); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
