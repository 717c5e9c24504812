package agree

import (
	"context"
	"errors"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/cluster"
)

var namespaceKind = schema.GroupKind{Kind: "Namespace"}

// namespaces are those that the objects of a set need.
type namespaces struct {
	client *cluster.Client
	// outcomes tells for each namespace that is needed whether it is there (nil) or was refused.
	outcomes map[string]error
	// created are those to remove.
	created []string
}

func newNamespaces(client *cluster.Client) *namespaces {
	return &namespaces{client: client, outcomes: map[string]error{}}
}

// has reports whether a namespace is there.
func (n *namespaces) has(name string) bool {
	err, known := n.outcomes[name]
	return known && err == nil
}

// create creates the namespace that an object is in, if it is in one that is not there.
func (n *namespaces) create(ctx context.Context, object *unstructured.Unstructured) error {
	namespaced, err := n.client.IsNamespaced(object)
	if meta.IsNoMatchError(err) {
		return nil // The answer to the object itself says so.
	}
	if err != nil || !namespaced {
		return err
	}
	name := cluster.Namespace(object)
	if err, known := n.outcomes[name]; known {
		return err
	}
	err = n.client.Create(ctx, cluster.NewNamespace(name))
	switch {
	case err == nil:
		n.created = append(n.created, name)
	case apierrors.IsAlreadyExists(err):
		err = nil
	}
	n.outcomes[name] = err
	return err
}

// adopt takes over a namespace that was stored as an object.
func (n *namespaces) adopt(name string) {
	n.outcomes[name] = nil
	if !slices.Contains(n.created, name) {
		n.created = append(n.created, name)
	}
}

// remove removes the namespaces that were created.
func (n *namespaces) remove(ctx context.Context) error {
	var problems []error
	for _, name := range n.created {
		problems = append(problems, n.client.Remove(ctx, cluster.NewNamespace(name)))
	}
	return errors.Join(problems...)
}
