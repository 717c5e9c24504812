package alive

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"conformance/internal/admission"
	"conformance/internal/cluster"
	"conformance/internal/gitops"
	"conformance/internal/live"
)

// startHelmProvider runs Cluster API's add-on provider for Helm with its webhooks, if a page has objects for it.
func (w *world) startHelmProvider(ctx context.Context, p *page) error {
	proxies := p.ofKind(gitops.HelmChartProxy)
	if len(proxies) == 0 {
		return nil
	}
	temporary := filepath.Join(w.Dir, admission.HelmProviderName)
	if err := os.MkdirAll(temporary, 0o700); err != nil {
		return fmt.Errorf("make the directory of the provider for Helm: %w", err)
	}
	creator, err := cluster.NewClient(w.controlPlane.Config)
	if err != nil {
		return err
	}
	provider, err := admission.Start(
		ctx, admission.HelmProvider(temporary, filepath.Join(w.Dir, "ca.crt")), filepath.Join(w.Upstream, admission.HelmProviderName), w.Bin, w.Dir,
		w.controlPlane, creator,
	)
	if err != nil {
		return err
	}
	w.processes = append(w.processes, provider)
	for _, proxy := range proxies {
		if err := w.closeRegistry(ctx, proxy); err != nil {
			return err
		}
	}
	return nil
}

// closeRegistry demands a password where a HelmChartProxy names credentials, and writes the Secret that has it.
func (w *world) closeRegistry(ctx context.Context, proxy *live.Object) error {
	credentials := live.Strings(proxy.Object, "spec", "credentials", "secret")
	if credentials["name"] == "" {
		return nil
	}
	address, err := url.Parse(live.String(proxy.Object, "spec", "repoURL"))
	if err != nil {
		return fmt.Errorf("read the URL of %s: %w", proxy.GetName(), err)
	}
	password := rand.Text()
	content, err := json.Marshal(map[string]any{"auths": map[string]any{address.Host: map[string]any{"username": manager, "password": password}}})
	if err != nil {
		return fmt.Errorf("encode the credentials of %s: %w", address.Host, err)
	}
	secret := &live.Object{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "stringData": map[string]any{live.String(proxy.Object, "spec", "credentials", "key"): string(content)},
	}}
	secret.SetName(credentials["name"])
	secret.SetNamespace(credentials["namespace"])
	if err := w.client.Ensure(ctx, cluster.NewNamespace(secret.GetNamespace())); err != nil {
		return err
	}
	if _, err := w.client.Overwrite(ctx, secret); err != nil {
		return err
	}
	w.delivery.charts.RequirePassword(address.Host, password)
	return nil
}
