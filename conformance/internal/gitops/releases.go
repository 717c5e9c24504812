package gitops

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/live"
)

// valuesSuffix follows the name of a release in the name of the ConfigMap of its chart.
const valuesSuffix = "-values"

// configMap is the kind of the object of each chart, and valuesLabels are the labels of these.
var (
	configMap    = schema.GroupKind{Kind: "ConfigMap"}
	valuesLabels = map[string]string{"conformance": "values"}
)

// Reconcile asks the controller of an object to look at it at once, as `flux reconcile` does.
func Reconcile(ctx context.Context, client *live.Client, object *live.Object) error {
	return client.Merge(ctx, object, map[string]any{"metadata": map[string]any{"annotations": map[string]any{
		"reconcile.fluxcd.io/requestedAt": time.Now().Format(time.RFC3339Nano),
	}}})
}

// Values returns what a release was given, from the cluster that it is installed in.
func Values(ctx context.Context, target *live.Client, namespace, release string) (map[string]any, error) {
	object, err := target.Get(ctx, configMap, namespace, release+valuesSuffix)
	if err != nil {
		return nil, err
	}
	if object == nil {
		return nil, fmt.Errorf("release %s/%s is not installed", namespace, release)
	}
	var values map[string]any
	if err := json.Unmarshal([]byte(live.String(object.Object, "data", "values.json")), &values); err != nil {
		return nil, fmt.Errorf("read the values of release %s/%s: %w", namespace, release, err)
	}
	return values, nil
}

// InstallOrder returns the names of the releases in a cluster in the order in which they were installed, if none was upgraded.
func InstallOrder(ctx context.Context, target *live.Client) ([]string, error) {
	objects, err := target.List(ctx, configMap, "", valuesLabels)
	if err != nil {
		return nil, err
	}
	releases := map[int64]string{}
	for _, object := range objects {
		// The store counts its changes.
		revision, err := strconv.ParseInt(object.GetResourceVersion(), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read the version of ConfigMap %s: %w", object.GetName(), err)
		}
		releases[revision] = strings.TrimSuffix(object.GetName(), valuesSuffix)
	}
	var order []string
	for _, revision := range slices.Sorted(maps.Keys(releases)) {
		order = append(order, releases[revision])
	}
	return order, nil
}
