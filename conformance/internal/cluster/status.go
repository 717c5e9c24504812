package cluster

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// StoreStatus writes the status of an object that is there, if the object has one: an apply leaves it out.
func (c *Client) StoreStatus(ctx context.Context, object *unstructured.Unstructured) error {
	status, found := object.Object["status"]
	if !found {
		return nil
	}
	resource, err := c.resource(object)
	if err != nil {
		return err
	}
	patch, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		return fmt.Errorf("write the status of %s: %w", Describe(object), err)
	}
	options := metav1.PatchOptions{FieldManager: fieldManager}
	if _, err := resource.Patch(ctx, object.GetName(), types.MergePatchType, patch, options, "status"); err != nil {
		return fmt.Errorf("store the status of %s: %w", Describe(object), err)
	}
	return nil
}
