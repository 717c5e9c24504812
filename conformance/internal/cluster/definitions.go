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

const (
	pollPause = 200 * time.Millisecond
	// discoveryLimit is how long a kind may be missing from what the server lists.
	discoveryLimit = 30 * time.Second
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
	kind := schema.GroupKind{}
	kind.Group, _, _ = unstructured.NestedString(definition.Object, "spec", "group")
	kind.Kind, _, _ = unstructured.NestedString(definition.Object, "spec", "names", "kind")
	// Discovery lists a kind some time after its definition is established.
	err := wait.PollUntilContextTimeout(ctx, pollPause, discoveryLimit, true, func(context.Context) (bool, error) {
		c.mapper.Reset()
		_, err := c.mapper.RESTMapping(kind)
		return err == nil, nil
	})
	if err != nil {
		return fmt.Errorf("wait until %s is listed: %w", definition.GetName(), err)
	}
	return nil
}

// IsDefinition reports whether the object is a CustomResourceDefinition.
func IsDefinition(object *unstructured.Unstructured) bool {
	return object.GroupVersionKind().GroupKind() == schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}
}

// Definitions returns the definitions that the server has.
func (c *Client) Definitions(ctx context.Context) ([]*unstructured.Unstructured, error) {
	list, err := c.dynamic.Resource(schema.GroupVersionResource{
		Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
	}).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("read the server's definitions: %w", err)
	}
	definitions := make([]*unstructured.Unstructured, 0, len(list.Items))
	for i := range list.Items {
		definitions = append(definitions, &list.Items[i])
	}
	return definitions, nil
}

func (c *Client) waitEstablished(ctx context.Context, definition *unstructured.Unstructured) error {
	resource, err := c.resource(definition)
	if err != nil {
		return err
	}
	err = wait.PollUntilContextCancel(ctx, pollPause, true, func(ctx context.Context) (bool, error) {
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
