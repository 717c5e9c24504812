// Package cluster does what every check needs of an API server: create, apply and remove objects of any kind.
package cluster

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// fieldManager is the name under which everything is applied.
const fieldManager = "conformance"

// Client reaches objects by their kind.
type Client struct {
	discovery discovery.DiscoveryInterface
	dynamic   dynamic.Interface
	rest      rest.Interface
	mapper    meta.ResettableRESTMapper
}

// NewClient connects to an API server.
func NewClient(config *rest.Config) (*Client, error) {
	config = rest.CopyConfig(config)
	config.WarningHandlerWithContext = warningHandler{}
	discoveryClient, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("create the discovery client: %w", err)
	}
	dynamicClient, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("create the client: %w", err)
	}
	restClient, err := newRESTClient(config)
	if err != nil {
		return nil, err
	}
	return &Client{
		discovery: discoveryClient,
		dynamic:   dynamicClient,
		rest:      restClient,
		mapper:    restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discoveryClient)),
	}, nil
}

// Create creates an object.
func (c *Client) Create(ctx context.Context, object *unstructured.Unstructured) error {
	resource, err := c.resource(object)
	if err != nil {
		return err
	}
	if _, err := resource.Create(ctx, object, metav1.CreateOptions{FieldManager: fieldManager}); err != nil {
		return fmt.Errorf("create %s: %w", Describe(object), err)
	}
	return nil
}

// Apply applies the text of an object server-side with strict field validation.
// It returns the object as it was stored, and the server's warnings.
func (c *Client) Apply(ctx context.Context, object *unstructured.Unstructured, raw []byte) (*unstructured.Unstructured, []string, error) {
	return c.apply(ctx, object, raw, metav1.PatchOptions{})
}

// DryRun is Apply without storing anything, and in place of other field managers.
func (c *Client) DryRun(ctx context.Context, object *unstructured.Unstructured, raw []byte) (*unstructured.Unstructured, []string, error) {
	force := true
	return c.apply(ctx, object, raw, metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}, Force: &force})
}

func (c *Client) apply(
	ctx context.Context, object *unstructured.Unstructured, raw []byte, options metav1.PatchOptions,
) (*unstructured.Unstructured, []string, error) {
	resource, err := c.resource(object)
	if err != nil {
		return nil, nil, err
	}
	ctx, warnings := withWarnings(ctx)
	options.FieldManager, options.FieldValidation = fieldManager, metav1.FieldValidationStrict
	stored, err := resource.Patch(ctx, object.GetName(), types.ApplyPatchType, raw, options)
	return stored, warnings.messages, err
}

// Exists reports whether there is an object of the same kind, name and namespace.
func (c *Client) Exists(ctx context.Context, object *unstructured.Unstructured) (bool, error) {
	resource, err := c.resource(object)
	if err != nil {
		return false, err
	}
	_, err = resource.Get(ctx, object.GetName(), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for %s: %w", Describe(object), err)
	}
	return true, nil
}

// IsNamespaced reports whether objects of this kind are in namespaces.
func (c *Client) IsNamespaced(object *unstructured.Unstructured) (bool, error) {
	gvk := object.GroupVersionKind()
	mapping, err := c.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if err != nil {
		return false, err
	}
	return mapping.Scope.Name() == meta.RESTScopeNameNamespace, nil
}

// resource returns the endpoint of an object.
func (c *Client) resource(object *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	gvk := object.GroupVersionKind()
	mapping, err := c.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if err != nil {
		return nil, err
	}
	resource := c.dynamic.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameRoot {
		return resource, nil
	}
	return resource.Namespace(Namespace(object)), nil
}

// Namespace returns the namespace a namespaced object is applied to.
func Namespace(object *unstructured.Unstructured) string {
	if namespace := object.GetNamespace(); namespace != "" {
		return namespace
	}
	return metav1.NamespaceDefault
}

// IsNamespace reports whether the object is a Namespace.
func IsNamespace(object *unstructured.Unstructured) bool {
	return object.GroupVersionKind() == schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}
}

// NewNamespace returns a Namespace without settings.
func NewNamespace(name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetAPIVersion("v1")
	object.SetKind("Namespace")
	object.SetName(name)
	return object
}

// Describe names an object for messages.
func Describe(object *unstructured.Unstructured) string {
	if namespace := object.GetNamespace(); namespace != "" {
		return fmt.Sprintf("%s %s/%s", object.GetKind(), namespace, object.GetName())
	}
	return fmt.Sprintf("%s %s", object.GetKind(), object.GetName())
}
