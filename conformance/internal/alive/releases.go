package alive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/cluster"
	"conformance/internal/gitops"
	"conformance/internal/live"
)

// deliveryLimit is how long Flux may take for a change: it tries again after half a minute, and a whole one.
const deliveryLimit = 3 * time.Minute

// releaseSteps are what Flux brings into the tenant.
func (t *tenant) releaseSteps() []step {
	releases := t.ofKind(gitops.HelmRelease)
	if len(releases) == 0 {
		return nil
	}
	steps := []step{{"Secrets have all keys that are referenced", t.checkKeys}}
	if len(releases) > 1 {
		steps = append(steps, step{"releases wait for those that come first", t.awaitOrder})
	}
	for _, release := range releases {
		if hookNamespace(release) != "" {
			steps = append(steps, step{"the installation of " + release.GetName() + " fails, and comes right", func(ctx context.Context) error { return t.heal(ctx, release) }})
		}
	}
	return append(steps, step{"everything is delivered", t.awaitDeliveries})
}

// firstReleases are those that others wait for, and that wait for none.
func (p *page) firstReleases() []*live.Object {
	awaited := map[string]bool{}
	for _, release := range p.ofKind(gitops.HelmRelease) {
		for _, other := range live.Maps(release.Object, "spec", "dependsOn") {
			awaited[live.String(other, "name")] = true
		}
	}
	return slices.DeleteFunc(p.ofKind(gitops.HelmRelease), func(release *live.Object) bool {
		return !awaited[release.GetName()] || len(live.Maps(release.Object, "spec", "dependsOn")) > 0
	})
}

// withhold hands the charts of the first releases out only when the result is called.
func (t *tenant) withhold() (handOut func()) {
	var all []func()
	for _, release := range t.firstReleases() {
		all = append(all, t.delivery.charts.Withhold(chartOf(release)))
	}
	return func() {
		for _, one := range all {
			one()
		}
	}
}

func chartOf(release *live.Object) string {
	return live.String(release.Object, "spec", "chart", "spec", "chart")
}

// awaitOrder waits until every release but the first ones says that it waits, and hands out the charts of the first ones then.
func (t *tenant) awaitOrder(ctx context.Context) error {
	first := t.firstReleases()
	if len(first) == 0 {
		return errors.New("no release waits for another: none of them has dependsOn")
	}
	for _, written := range t.ofKind(gitops.HelmRelease) {
		if slices.Contains(first, written) {
			continue
		}
		if err := await(ctx, deliveryLimit, func() (string, error) {
			found, err := t.client.Get(ctx, gitops.HelmRelease, written.GetNamespace(), written.GetName())
			if err != nil || found == nil {
				return "there is no HelmRelease " + written.GetName(), err
			}
			if len(live.Maps(found.Object, "status", "history")) > 0 {
				return "", fmt.Errorf("%w: %s is installed before %s", errHopeless, written.GetName(), first[0].GetName())
			}
			return gitops.Failed("dependency")(found), nil
		}); err != nil {
			return fmt.Errorf("HelmRelease %s: %w", written.GetName(), err)
		}
	}
	t.handOut()
	// Their source would be asked for them again after up to a minute.
	charts, err := t.client.List(ctx, gitops.HelmChart, t.namespace(), nil)
	for i := range charts {
		err = errors.Join(err, gitops.Reconcile(ctx, t.client, &charts[i]))
	}
	return err
}

// hookNamespace is the namespace without which a hook of the release fails, or nothing.
func hookNamespace(release *live.Object) string {
	return live.String(release.Object, "spec", "values", gitops.HookValue, "namespace")
}

// heal waits until the first installation of a release has failed, mends what made it fail, and waits until Flux has tried again by itself, in the way
// that the release asks for: by an upgrade, or by another installation.
func (t *tenant) heal(ctx context.Context, release *live.Object) error {
	namespace, fault := hookNamespace(release), ""
	if err := await(ctx, deliveryLimit, func() (string, error) {
		found, err := t.client.Get(ctx, gitops.HelmRelease, release.GetNamespace(), release.GetName())
		if err != nil || found == nil {
			return "it does not exist", err
		}
		for _, condition := range live.Maps(found.Object, "status", "conditions") {
			fault = live.String(condition, "message")
			if strings.Contains(fault, fmt.Sprintf("namespaces %q not found", namespace)) {
				return "", nil
			}
		}
		return "no failure; " + live.Describe(found), nil
	}); err != nil {
		return err
	}
	client, err := t.tenantClient(ctx)
	if err != nil {
		return err
	}
	if err := client.Ensure(ctx, cluster.NewNamespace(namespace)); err != nil {
		return err
	}
	return await(ctx, deliveryLimit, func() (string, error) {
		found, err := t.client.Get(ctx, gitops.HelmRelease, release.GetNamespace(), release.GetName())
		if err != nil || found == nil {
			return "it does not exist", err
		}
		if missing := gitops.Released(live.String(release.Object, "spec", "chart", "spec", "version"))(found); missing != "" {
			return missing + "; " + live.Describe(found), nil
		}
		// A release that was uninstalled begins with revision 1 again (fluxcd/helm-controller internal/reconcile/atomic_release.go).
		anew := live.Int(live.Maps(found.Object, "status", "history")[0], "version") == 1
		if wanted := live.String(release.Object, "spec", "install", "strategy", "name") == "RemediateOnFailure"; anew != wanted {
			return "", fmt.Errorf("%w: it was installed anew is %t, and its strategy says %t", errHopeless, anew, wanted)
		}
		return "", nil
	})
}

// awaitDeliveries waits until Flux has applied what the page says, and the tenant has it. What is suspended stays as it is.
func (t *tenant) awaitDeliveries(ctx context.Context) error {
	return t.await(ctx, deliveryLimit, func() (string, error) {
		for _, written := range t.ofKind(gitops.Kustomization) {
			if err := t.checkSuspended(written); err != nil {
				return "", err
			}
			state := gitops.Applied(t.revision)
			if isSuspended(written) {
				state = gitops.Suspended
			}
			if missing, err := t.missingState(ctx, written, state); err != nil || missing != "" {
				return missing, err
			}
		}
		for _, written := range t.ofKind(gitops.HelmRelease) {
			if err := t.checkSuspended(written); err != nil {
				return "", err
			}
			if missing, err := t.missingRelease(ctx, written); err != nil || missing != "" {
				return missing, err
			}
		}
		return "", nil
	})
}

// stayUndelivered gives Flux the time to deliver what it must not.
func (t *tenant) stayUndelivered(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(stay):
		return t.awaitDeliveries(ctx)
	}
}

// checkSuspended returns an error if something is delivered to a tenant that has no machines.
func (t *tenant) checkSuspended(written *live.Object) error {
	_, toTenant := written.Object["spec"].(map[string]any)["kubeConfig"]
	if toTenant && t.hasNoMachines() && !isSuspended(written) {
		return fmt.Errorf("%w: %s %s is not suspended, and the page has no machines", errHopeless, written.GetKind(), written.GetName())
	}
	return nil
}

func isSuspended(object *live.Object) bool { return live.Bool(object.Object, "spec", "suspend") }

// missingState returns what an object lacks of a state.
func (t *tenant) missingState(ctx context.Context, written *live.Object, state gitops.State) (string, error) {
	found, err := t.client.Get(ctx, written.GroupVersionKind().GroupKind(), written.GetNamespace(), written.GetName())
	if err != nil {
		return "", err
	}
	missing := state(found)
	if missing == "" {
		return "", nil
	}
	if found != nil {
		missing += "; " + live.Describe(found)
	}
	return written.GetKind() + " " + written.GetName() + ": " + missing, nil
}

// missingRelease returns what a release lacks: to be suspended with the values that it had, or to be installed with those that are written.
func (t *tenant) missingRelease(ctx context.Context, written *live.Object) (string, error) {
	state := gitops.Suspended
	if !isSuspended(written) {
		state = gitops.Released(live.String(written.Object, "spec", "chart", "spec", "version"))
		values, found, _ := unstructured.NestedMap(written.Object, "spec", "values")
		if !found {
			values = map[string]any{}
		}
		text, err := json.Marshal(values)
		if err != nil {
			return "", fmt.Errorf("encode the values of %s: %w", written.GetName(), err)
		}
		t.values[written.GetName()] = string(text)
	}
	if missing, err := t.missingState(ctx, written, state); err != nil || missing != "" || t.isStopped() {
		return missing, err
	}
	client, err := t.tenantClient(ctx)
	if err != nil {
		return "", err
	}
	got, err := gitops.Values(ctx, client, live.String(written.Object, "spec", "targetNamespace"), live.String(written.Object, "spec", "releaseName"))
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(got)
	if err != nil {
		return "", fmt.Errorf("encode the values of %s: %w", written.GetName(), err)
	}
	if wanted := t.values[written.GetName()]; string(text) != wanted {
		return fmt.Sprintf("HelmRelease %s has installed the values %s, not %s", written.GetName(), text, wanted), nil
	}
	return "", nil
}

// checkKeys looks for each key of a Secret that the page refers to.
func (t *tenant) checkKeys(ctx context.Context) error {
	wanted := map[string][]string{}
	for _, object := range t.objects {
		collectKeys(object.Object, wanted)
	}
	var missing []string
	for name, keys := range wanted {
		secret, err := t.client.Get(ctx, live.Secret, t.namespace(), name)
		if err != nil {
			return err
		}
		if secret == nil {
			missing = append(missing, "there is no Secret "+name)
			continue
		}
		for _, key := range keys {
			if _, err := live.SecretData(secret, key); err != nil {
				missing = append(missing, err.Error())
			}
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return errors.New(strings.Join(slices.Compact(missing), ", "))
	}
	return nil
}

// collectKeys adds the keys of Secrets that an object refers to: in volumes, variables, and the kubeconfigs of Flux. What is optional may be missing.
func collectKeys(value any, keys map[string][]string) {
	switch typed := value.(type) {
	case map[string]any:
		if name := live.String(typed, "secretName"); name != "" && !live.Bool(typed, "optional") {
			for _, item := range live.Maps(typed, "items") {
				keys[name] = append(keys[name], live.String(item, "key"))
			}
		}
		for _, field := range []string{"secretRef", "secretKeyRef"} {
			name, key := live.String(typed, field, "name"), live.String(typed, field, "key")
			if name != "" && key != "" && !live.Bool(typed, field, "optional") {
				keys[name] = append(keys[name], key)
			}
		}
		for _, field := range typed {
			collectKeys(field, keys)
		}
	case []any:
		for _, item := range typed {
			collectKeys(item, keys)
		}
	}
}
