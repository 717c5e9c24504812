package admission

import (
	"encoding/base64"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/manifest"
)

// configurations reads webhook configurations and points them to baseURL instead of a Service.
// The names get a prefix, since all projects use the same ones before their release renames them.
func configurations(files []string, prefix, baseURL string, ca []byte) ([]*unstructured.Unstructured, error) {
	var result []*unstructured.Unstructured
	for i, file := range files {
		documents, err := manifest.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, document := range documents {
			object := document.Object
			object.SetName(fmt.Sprintf("%s-%d-%s", prefix, i, object.GetName()))
			if err := Redirect(object, baseURL, ca); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", file, object.GetName(), err)
			}
			result = append(result, object)
		}
	}
	return result, nil
}

// Redirect replaces the Service of every webhook by a URL with the same path.
func Redirect(configuration *unstructured.Unstructured, baseURL string, ca []byte) error {
	webhooks, _, err := unstructured.NestedSlice(configuration.Object, "webhooks")
	if err != nil {
		return err
	}
	for _, webhook := range webhooks {
		fields, ok := webhook.(map[string]any)
		if !ok {
			return fmt.Errorf("a webhook is a %T", webhook)
		}
		path, found, err := unstructured.NestedString(fields, "clientConfig", "service", "path")
		if err != nil || !found {
			return fmt.Errorf("webhook %v has no service path: %w", fields["name"], err)
		}
		fields["clientConfig"] = map[string]any{
			"url":      baseURL + path,
			"caBundle": base64.StdEncoding.EncodeToString(ca),
		}
	}
	return unstructured.SetNestedSlice(configuration.Object, webhooks, "webhooks")
}
