package cluster

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
)

// CreateDefinitions creates custom resource definitions and waits until the server serves them.
// It does so one by one: the server is slower when they come at once.
func (c *Client) CreateDefinitions(ctx context.Context, definitions []*unstructured.Unstructured) error {
	for _, definition := range definitions {
		if err := c.Create(ctx, definition); err != nil {
			return err
		}
	}
	for _, definition := range definitions {
		if err := c.waitEstablished(ctx, definition); err != nil {
			return err
		}
	}
	c.mapper.Reset()
	return nil
}

// AwaitDefinition waits until the server serves the kind of a definition that was just applied.
func (c *Client) AwaitDefinition(ctx context.Context, definition *unstructured.Unstructured) error {
	if err := c.waitEstablished(ctx, definition); err != nil {
		return err
	}
	c.mapper.Reset()
	return nil
}

// IsDefinition reports whether the object is a CustomResourceDefinition.
func IsDefinition(object *unstructured.Unstructured) bool {
	return object.GroupVersionKind().GroupKind() == schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}
}

func (c *Client) waitEstablished(ctx context.Context, definition *unstructured.Unstructured) error {
	resource, err := c.resource(definition)
	if err != nil {
		return err
	}
	err = wait.PollUntilContextCancel(ctx, 200*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		stored, err := resource.Get(ctx, definition.GetName(), metav1.GetOptions{})
		return err == nil && established(stored), err
	})
	if err != nil {
		return fmt.Errorf("wait until %s is established: %w", definition.GetName(), err)
	}
	return nil
}

func established(definition *unstructured.Unstructured) bool {
	conditions, _, _ := unstructured.NestedSlice(definition.Object, "status", "conditions")
	for _, condition := range conditions {
		fields, ok := condition.(map[string]any)
		if ok && fields["type"] == "Established" && fields["status"] == "True" {
			return true
		}
	}
	return false
}
