package cluster

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// ErrNoAddress means that an object cannot be sent to a server, since no address can name its namespace.
var ErrNoAddress = errors.New("cannot be part of an address")

// ApplyText applies the text of an object server-side with strict field validation, byte for byte, in place of other managers.
// Of the object only the kind, the name and the namespace count. An object without a usable name is created, so that the
// server's own answer is about the name: there is no address to apply it to.
func (c *Client) ApplyText(ctx context.Context, object *unstructured.Unstructured, text []byte, dryRun bool) ([]string, error) {
	collection, err := c.collection(object)
	if err != nil {
		return nil, err
	}
	request := c.rest.Post().AbsPath(collection).SetHeader("Content-Type", "application/json")
	if name := object.GetName(); isSegment(name) {
		request = c.rest.Patch(types.ApplyYAMLPatchType).AbsPath(path.Join(collection, name)).Param("force", "true")
	}
	request = request.Param("fieldManager", fieldManager).Param("fieldValidation", metav1.FieldValidationStrict).Body(text)
	if dryRun {
		request = request.Param("dryRun", metav1.DryRunAll)
	}
	result := request.Do(ctx)
	var warnings []string
	for _, warning := range result.Warnings() {
		warnings = append(warnings, warning.Text)
	}
	return warnings, result.Error()
}

// collection returns the address of the objects of the same kind and namespace.
func (c *Client) collection(object *unstructured.Unstructured) (string, error) {
	gvk := object.GroupVersionKind()
	mapping, err := c.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if err != nil {
		return "", err
	}
	segments := []string{"/apis", gvk.Group, gvk.Version}
	if gvk.Group == "" {
		segments = []string{"/api", gvk.Version}
	}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		namespace := Namespace(object)
		if !isSegment(namespace) {
			return "", fmt.Errorf("namespace %q %w", namespace, ErrNoAddress)
		}
		segments = append(segments, "namespaces", namespace)
	}
	return path.Join(append(segments, mapping.Resource.Resource)...), nil
}

// isSegment reports whether a name can be one segment of an address.
func isSegment(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/%")
}

// newRESTClient returns a client for requests of any kind.
func newRESTClient(config *rest.Config) (rest.Interface, error) {
	config = rest.CopyConfig(config)
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	client, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("create the client for texts: %w", err)
	}
	return client, nil
}
