package main

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// newObject returns an object of a kind whose Go types are not used here.
func newObject(kind schema.GroupVersionKind) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(kind)
	return object
}

// merge changes fields of an object, or of its status.
func merge(ctx context.Context, c client.Client, object client.Object, fields map[string]any) error {
	data, err := json.Marshal(fields)
	if err != nil {
		return fmt.Errorf("encode a patch of %s: %w", object.GetName(), err)
	}
	patch := client.RawPatch(types.MergePatchType, data)
	if _, isStatus := fields["status"]; isStatus {
		return client.IgnoreNotFound(c.Status().Patch(ctx, object, patch))
	}
	return client.IgnoreNotFound(c.Patch(ctx, object, patch))
}
