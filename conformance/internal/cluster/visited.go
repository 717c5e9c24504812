package cluster

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// The obstacles to a dry run in a cluster that is not our own.
const (
	NotServed        = "not served here"
	NamespaceMissing = "namespace missing, not tried"
)

// Visited is a cluster of somebody else: what is missing in it stays missing.
type Visited struct {
	client *Client
	// namespaces tells whether a namespace is there.
	namespaces map[string]bool
}

// NewVisited returns the cluster that a client reaches.
func NewVisited(client *Client) *Visited {
	return &Visited{client: client, namespaces: map[string]bool{}}
}

// Obstacle returns why an object cannot be tried, nothing if it can.
func (v *Visited) Obstacle(ctx context.Context, object *unstructured.Unstructured) (string, error) {
	namespaced, err := v.client.IsNamespaced(object)
	if meta.IsNoMatchError(err) {
		return NotServed, nil
	}
	if err != nil || !namespaced {
		return "", err
	}
	name := Namespace(object)
	there, known := v.namespaces[name]
	if !known {
		if isSegment(name) {
			there, err = v.client.Exists(ctx, NewNamespace(name))
			if apierrors.IsForbidden(err) {
				there, err = true, nil // Who may not look may still be allowed to try.
			}
			if err != nil {
				return "", err
			}
		}
		v.namespaces[name] = there
	}
	if !there {
		return NamespaceMissing, nil
	}
	return "", nil
}
