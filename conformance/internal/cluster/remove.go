package cluster

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// Remove deletes an object for good. No controllers run that would end the wait for a finalizer,
// so finalizers are removed; an object that does not exist, or whose kind does not, is no error.
func (c *Client) Remove(ctx context.Context, object *unstructured.Unstructured) error {
	resource, err := c.resource(object)
	if meta.IsNoMatchError(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("remove %s: %w", Describe(object), err)
	}

	now := int64(0)
	err = resource.Delete(ctx, object.GetName(), metav1.DeleteOptions{GracePeriodSeconds: &now})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("remove %s: %w", Describe(object), err)
	}
	if IsNamespace(object) {
		return c.finalizeNamespace(ctx, object.GetName())
	}
	_, err = resource.Patch(ctx, object.GetName(), types.MergePatchType,
		[]byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{FieldManager: fieldManager})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("remove the finalizers of %s: %w", Describe(object), err)
	}
	return nil
}

// finalizeNamespace takes the last step of the namespace controller. The namespace has to be empty.
func (c *Client) finalizeNamespace(ctx context.Context, name string) error {
	resource, err := c.resource(NewNamespace(name))
	if err != nil {
		return fmt.Errorf("finalize namespace %s: %w", name, err)
	}
	namespace, err := resource.Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("finalize namespace %s: %w", name, err)
	}
	unstructured.RemoveNestedField(namespace.Object, "spec", "finalizers")
	_, err = resource.Update(ctx, namespace, metav1.UpdateOptions{FieldManager: fieldManager}, "finalize")
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("finalize namespace %s: %w", name, err)
	}
	return nil
}
