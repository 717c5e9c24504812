package agree

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// budgetSpent is what a server says when rules are too expensive to be checked on an object.
const budgetSpent = "validation failed due to running out of cost budget"

// Rules are the texts with which the CEL rules of kinds end their refusals: the message of the rule, or else the rule itself.
// A message that a rule computes (messageExpression) is not among them.
type Rules map[schema.GroupKind][]string

// NewRules collects the rules of all versions of definitions.
func NewRules(definitions []*unstructured.Unstructured) Rules {
	rules := Rules{}
	for _, definition := range definitions {
		group, _, _ := unstructured.NestedString(definition.Object, "spec", "group")
		name, _, _ := unstructured.NestedString(definition.Object, "spec", "names", "kind")
		versions, _, _ := unstructured.NestedSlice(definition.Object, "spec", "versions")
		kind := schema.GroupKind{Group: group, Kind: name}
		for _, version := range versions {
			fields, _ := version.(map[string]any)
			root, _, _ := unstructured.NestedMap(fields, "schema", "openAPIV3Schema")
			rules[kind] = appendTexts(rules[kind], root)
		}
		slices.Sort(rules[kind])
		rules[kind] = slices.Compact(rules[kind])
	}
	return rules
}

// appendTexts appends the texts of the rules in a schema and in the schemas below it.
func appendTexts(texts []string, node map[string]any) []string {
	validations, _ := node["x-kubernetes-validations"].([]any)
	for _, validation := range validations {
		fields, _ := validation.(map[string]any)
		message, _ := fields["message"].(string)
		rule, _ := fields["rule"].(string)
		if message == "" {
			message = rule
		}
		texts = append(texts, strings.TrimSpace(message))
	}
	properties, _ := node["properties"].(map[string]any)
	for _, property := range properties {
		if child, ok := property.(map[string]any); ok {
			texts = appendTexts(texts, child)
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if child, ok := node[key].(map[string]any); ok {
			texts = appendTexts(texts, child)
		}
	}
	return texts
}

// explain reports whether rules of the kind are behind all causes: where the schema is behind one of them, the object would be
// refused without the rules, too.
func (r Rules) explain(kind schema.GroupKind, causes []metav1.StatusCause) bool {
	found := false
	for _, cause := range causes {
		switch {
		case r.says(kind, cause.Message):
			found = true
		case !strings.Contains(cause.Message, notChecked):
			return false
		}
	}
	return found
}

func (r Rules) says(kind schema.GroupKind, message string) bool {
	return strings.Contains(message, budgetSpent) || slices.ContainsFunc(r[kind], func(text string) bool {
		return message == text || strings.HasSuffix(message, ": "+text)
	})
}
