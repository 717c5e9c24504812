package alive

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"text/template"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"conformance/internal/gitops"
	"conformance/internal/live"
	"conformance/internal/manifest"
)

// chartLimit is how long it may take until a chart is released: what failed is tried again at growing intervals.
const chartLimit = 3 * time.Minute

var resourceSetKind = schema.GroupKind{Group: "addons.cluster.x-k8s.io", Kind: "ClusterResourceSet"}

// deliverySteps are what Cluster API and its add-on provider for Helm bring to the tenant.
func (t *tenant) deliverySteps() []step {
	if len(t.ofKind(gitops.HelmChartProxy)) == 0 {
		return nil
	}
	return []step{
		{"all charts are released with their values", t.awaitReleases},
		{"all ClusterResourceSets are applied", t.awaitResourceSets},
		{"a changed value reaches the release", t.upgradeRelease},
		{"a release goes with its HelmChartProxy", t.uninstallRelease},
	}
}

// awaitReleases waits until every HelmChartProxy is ready, and its chart has in the tenant the values that are written.
func (t *tenant) awaitReleases(ctx context.Context) error {
	return t.awaitInTenant(ctx, chartLimit, func(client *live.Client) (string, error) {
		for _, wanted := range t.ofKind(gitops.HelmChartProxy) {
			proxy, err := t.client.Get(ctx, gitops.HelmChartProxy, wanted.GetNamespace(), wanted.GetName())
			if err != nil || proxy == nil {
				return "there is no HelmChartProxy " + wanted.GetName(), err
			}
			if missing := live.MissingCondition(proxy, "Ready"); missing != "" {
				return "HelmChartProxy " + wanted.GetName() + ": " + missing, nil
			}
			if missing, err := compareValues(ctx, client, wanted); missing != "" || err != nil {
				return missing, err
			}
		}
		return "", nil
	})
}

// compareValues compares what a release was given with what its HelmChartProxy says, in which braces of values are written as templates.
func compareValues(ctx context.Context, tenant *live.Client, proxy *live.Object) (missing string, err error) {
	parsed, err := template.New(proxy.GetName()).Parse(live.String(proxy.Object, "spec", "valuesTemplate"))
	if err != nil {
		return "", fmt.Errorf("read the values of %s: %w", proxy.GetName(), err)
	}
	var text strings.Builder
	if err := parsed.Execute(&text, nil); err != nil {
		return "", fmt.Errorf("render the values of %s: %w", proxy.GetName(), err)
	}
	wanted := map[string]any{}
	if err := yaml.Unmarshal([]byte(text.String()), &wanted); err != nil {
		return "", fmt.Errorf("read the values of %s: %w", proxy.GetName(), err)
	}
	given, err := gitops.Values(ctx, tenant, live.String(proxy.Object, "spec", "namespace"), live.String(proxy.Object, "spec", "releaseName"))
	if err != nil {
		return "", err
	}
	if !reflect.DeepEqual(given, wanted) {
		return fmt.Sprintf("the release of %s was given %v, not %v", proxy.GetName(), given, wanted), nil
	}
	return "", nil
}

// awaitResourceSets waits until each object of each ClusterResourceSet is in the tenant.
func (t *tenant) awaitResourceSets(ctx context.Context) error {
	return t.awaitInTenant(ctx, chartLimit, func(client *live.Client) (string, error) {
		for _, wanted := range t.ofKind(resourceSetKind) {
			set, err := t.client.Get(ctx, resourceSetKind, wanted.GetNamespace(), wanted.GetName())
			if err != nil || set == nil {
				return "there is no ClusterResourceSet " + wanted.GetName(), err
			}
			if missing := live.MissingCondition(set, "ResourcesApplied"); missing != "" {
				return "ClusterResourceSet " + wanted.GetName() + ": " + missing, nil
			}
			if missing, err := t.missingObject(ctx, client, wanted); missing != "" || err != nil {
				return missing, err
			}
		}
		return "", nil
	})
}

// missingObject names an object of a ClusterResourceSet that the tenant does not have.
func (t *tenant) missingObject(ctx context.Context, tenant *live.Client, set *live.Object) (missing string, err error) {
	for _, resource := range live.Maps(set.Object, "spec", "resources") {
		kind := schema.GroupKind{Kind: live.String(resource, "kind")}
		carrier, err := t.client.Get(ctx, kind, set.GetNamespace(), live.String(resource, "name"))
		if err != nil || carrier == nil {
			return fmt.Sprintf("there is no %s %s", kind.Kind, live.String(resource, "name")), err
		}
		for _, text := range live.Strings(carrier.Object, "data") {
			documents, err := manifest.Parse([]byte(text))
			if err != nil {
				return "", err
			}
			for _, object := range objectsOf(documents) {
				found, err := tenant.Get(ctx, object.GroupVersionKind().GroupKind(), object.GetNamespace(), object.GetName())
				if err != nil || found == nil {
					return fmt.Sprintf("the tenant has no %s %s", object.GetKind(), object.GetName()), err
				}
			}
		}
	}
	return "", nil
}

// lastProxy is what a step may change.
func (t *tenant) lastProxy() *live.Object {
	proxies := t.ofKind(gitops.HelmChartProxy)
	return proxies[len(proxies)-1].DeepCopy()
}

// upgradeRelease adds a value to a chart, as a later page does.
func (t *tenant) upgradeRelease(ctx context.Context) error {
	changed := t.lastProxy()
	spec := changed.Object["spec"].(map[string]any)
	spec["valuesTemplate"] = live.String(spec, "valuesTemplate") + "changed: true\n"
	if _, err := t.client.Overwrite(ctx, changed); err != nil {
		return err
	}
	return t.awaitInTenant(ctx, chartLimit, func(client *live.Client) (string, error) {
		return compareValues(ctx, client, changed)
	})
}

// uninstallRelease deletes a HelmChartProxy of a tenant that stays.
func (t *tenant) uninstallRelease(ctx context.Context) error {
	proxy := t.lastProxy()
	if err := t.client.Delete(ctx, proxy); err != nil {
		return err
	}
	return t.awaitInTenant(ctx, chartLimit, func(client *live.Client) (string, error) {
		found, err := t.client.Get(ctx, gitops.HelmChartProxy, proxy.GetNamespace(), proxy.GetName())
		if err != nil {
			return "", err
		}
		if found != nil {
			return live.Describe(found), nil
		}
		installed, err := gitops.InstallOrder(ctx, client)
		if err != nil {
			return "", err
		}
		for _, release := range installed {
			if release == live.String(proxy.Object, "spec", "releaseName") {
				return "the release " + release + " is still in the tenant", nil
			}
		}
		return "", nil
	})
}
