// Package live reads and writes objects of an API server while controllers work on them.
package live

import (
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// Object is an object of any kind.
type Object = unstructured.Unstructured

// Client reaches objects by group and kind, in the version the server prefers.
type Client struct {
	discovery discovery.DiscoveryInterface
	dynamic   dynamic.Interface
	mapper    meta.RESTMapper
	manager   string
}

// NewClient connects to an API server. manager is the name under which fields are written.
func NewClient(config *rest.Config, manager string) (*Client, error) {
	config = rest.CopyConfig(config)
	config.WarningHandler = rest.NoWarnings{}
	discoveryClient, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("create the discovery client: %w", err)
	}
	dynamicClient, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("create the client: %w", err)
	}
	return &Client{
		discovery: discoveryClient,
		dynamic:   dynamicClient,
		mapper:    restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discoveryClient)),
		manager:   manager,
	}, nil
}

// List returns the objects of a kind that have the labels, in one namespace or, if that is empty, in all.
func (c *Client) List(ctx context.Context, kind schema.GroupKind, namespace string, selector map[string]string) ([]Object, error) {
	resource, err := c.resource(kind, namespace)
	if err != nil {
		return nil, err
	}
	list, err := resource.List(ctx, metav1.ListOptions{LabelSelector: labels.SelectorFromSet(selector).String()})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", kind, err)
	}
	return list.Items, nil
}

// Get returns an object, or nil if there is none.
func (c *Client) Get(ctx context.Context, kind schema.GroupKind, namespace, name string) (*Object, error) {
	resource, err := c.resource(kind, namespace)
	if err != nil {
		return nil, err
	}
	object, err := resource.Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", kind.Kind, name, err)
	}
	return object, nil
}

// Ensure creates an object unless it exists.
func (c *Client) Ensure(ctx context.Context, object *Object) error {
	resource, err := c.resource(object.GroupVersionKind().GroupKind(), object.GetNamespace())
	if err != nil {
		return err
	}
	_, err = resource.Create(ctx, object, metav1.CreateOptions{FieldManager: c.manager, FieldValidation: metav1.FieldValidationStrict})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("create %s %s: %w", object.GetKind(), object.GetName(), err)
	}
	return nil
}

// Apply applies an object server-side and returns it as stored.
func (c *Client) Apply(ctx context.Context, object *Object) (*Object, error) {
	return c.apply(ctx, object, false)
}

// Overwrite is Apply as GitOps tools do it: it takes over fields that another manager has set to other values.
func (c *Client) Overwrite(ctx context.Context, object *Object) (*Object, error) {
	return c.apply(ctx, object, true)
}

func (c *Client) apply(ctx context.Context, object *Object, force bool) (*Object, error) {
	// The version of the endpoint must be that of the object.
	resource, err := c.resource(object.GroupVersionKind().GroupKind(), object.GetNamespace(), object.GroupVersionKind().Version)
	if err != nil {
		return nil, err
	}
	stored, err := resource.Apply(ctx, object.GetName(), object, metav1.ApplyOptions{FieldManager: c.manager, Force: force})
	if err != nil {
		return nil, fmt.Errorf("apply %s %s: %w", object.GetKind(), object.GetName(), err)
	}
	return stored, nil
}

// Merge changes fields of an object, or of one of its subresources, by a merge patch. An object that is gone is no error.
func (c *Client) Merge(ctx context.Context, object *Object, patch map[string]any, subresources ...string) error {
	kind := object.GroupVersionKind().GroupKind()
	resource, err := c.resource(kind, object.GetNamespace())
	if err != nil {
		return err
	}
	data, err := json.Marshal(patch)
	if err != nil {
		return fmt.Errorf("encode a patch of %s %s: %w", kind.Kind, object.GetName(), err)
	}
	_, err = resource.Patch(ctx, object.GetName(), types.MergePatchType, data, metav1.PatchOptions{FieldManager: c.manager}, subresources...)
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("change %s %s: %w", kind.Kind, object.GetName(), err)
	}
	return nil
}

// Delete marks an object for deletion, and in the background what it owns. An object that is gone is no error.
func (c *Client) Delete(ctx context.Context, object *Object) error {
	kind := object.GroupVersionKind().GroupKind()
	resource, err := c.resource(kind, object.GetNamespace())
	if err != nil {
		return err
	}
	background := metav1.DeletePropagationBackground
	err = resource.Delete(ctx, object.GetName(), metav1.DeleteOptions{PropagationPolicy: &background})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("delete %s %s: %w", kind.Kind, object.GetName(), err)
	}
	return nil
}

// DeleteNow removes an object without waiting for a grace period, as a kubelet does with a pod whose containers have ended.
func (c *Client) DeleteNow(ctx context.Context, object *Object) error {
	kind := object.GroupVersionKind().GroupKind()
	resource, err := c.resource(kind, object.GetNamespace())
	if err != nil {
		return err
	}
	now := int64(0)
	err = resource.Delete(ctx, object.GetName(), metav1.DeleteOptions{GracePeriodSeconds: &now})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("remove %s %s: %w", kind.Kind, object.GetName(), err)
	}
	return nil
}

// All returns every object in a namespace but Events, of each kind in one version.
func (c *Client) All(ctx context.Context, namespace string) ([]Object, error) {
	lists, err := c.discovery.ServerPreferredNamespacedResources()
	if err != nil {
		return nil, fmt.Errorf("find the server's kinds: %w", err)
	}
	var all []Object
	for _, list := range discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"list", "delete"}}, lists) {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return nil, fmt.Errorf("find the server's kinds: %w", err)
		}
		for _, resource := range list.APIResources {
			if resource.Kind == "Event" {
				continue
			}
			items, err := c.dynamic.Resource(version.WithResource(resource.Name)).Namespace(namespace).List(ctx, metav1.ListOptions{})
			if err != nil {
				return nil, fmt.Errorf("list %s: %w", resource.Name, err)
			}
			all = append(all, items.Items...)
		}
	}
	return all, nil
}

// resource returns the endpoint of a kind, in a namespace if its objects are in namespaces, and in the preferred version if none is given.
func (c *Client) resource(kind schema.GroupKind, namespace string, versions ...string) (dynamic.ResourceInterface, error) {
	mapping, err := c.mapper.RESTMapping(kind, versions...)
	if err != nil {
		return nil, fmt.Errorf("find kind %s: %w", kind, err)
	}
	resource := c.dynamic.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace && namespace != "" {
		return resource.Namespace(namespace), nil
	}
	return resource, nil
}
