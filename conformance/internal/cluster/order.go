package cluster

import "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

// Rank orders objects as whoever delivers them does: namespaces before definitions before everything else.
func Rank(object *unstructured.Unstructured) int {
	switch {
	case IsNamespace(object):
		return 0
	case IsDefinition(object):
		return 1
	default:
		return 2
	}
}
