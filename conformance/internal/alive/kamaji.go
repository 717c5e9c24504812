package alive

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"

	"sigs.k8s.io/yaml"

	"conformance/internal/admission"
	"conformance/internal/live"
	"conformance/internal/manifest"
	"conformance/internal/process"
)

const (
	kamajiNamespace = "kamaji-system"
	// storeImage is an image that only the run knows.
	storeImage = "conformance/etcd"
	// webhookPort is the port on which Kamaji serves its webhooks, always (clastix/kamaji cmd/manager/cmd.go).
	webhookPort = 9443
)

// certificateNames are the names under which what has the certificate of the run is reached.
var certificateNames = []string{"etcd." + kamajiNamespace + ".svc", "etcd." + kamajiNamespace + ".svc.cluster.local"}

//go:embed store.yaml
var store []byte

// startKamaji runs Kamaji with its webhooks and a DataStore, and its provider for Cluster API.
func (w *world) startKamaji(ctx context.Context) error {
	objects, err := manifest.Parse(store)
	if err != nil {
		return err
	}
	secret, err := w.storeCertificates()
	if err != nil {
		return err
	}
	for _, object := range append([]*live.Object{objects[0].Object, secret}, objectsOf(objects[1:])...) {
		if err := w.client.Ensure(ctx, object); err != nil {
			return err
		}
	}
	temporary := filepath.Join(w.Dir, "kamaji")
	certificates := filepath.Join(temporary, "k8s-webhook-server", "serving-certs")
	if err := os.MkdirAll(certificates, 0o700); err != nil {
		return fmt.Errorf("make the directory of Kamaji: %w", err)
	}
	for name, path := range map[string]string{"tls.crt": w.controlPlane.PKI.CertFile(), "tls.key": w.controlPlane.PKI.KeyFile(), "ca.crt": filepath.Join(w.Dir, "ca.crt")} {
		if err := os.Symlink(path, filepath.Join(certificates, name)); err != nil {
			return fmt.Errorf("hand Kamaji its certificates: %w", err)
		}
	}
	// The arguments of its chart, less those of pods (clastix/kamaji charts/kamaji/templates/controller.yaml).
	kamaji, err := process.StartWith([]string{"KUBECONFIG=" + w.controlPlane.Kubeconfig, "TMPDIR=" + temporary}, "kamaji", w.Dir, filepath.Join(w.Bin, "kamaji"),
		"manager", "--metrics-bind-address=0", "--health-probe-bind-address=0", "--leader-elect=false", "--datastore=default", "--disable-telemetry",
		"--tmp-directory="+filepath.Join(temporary, "files"), "--pod-namespace="+kamajiNamespace, "--serviceaccount-name=kamaji-controller-manager",
		"--webhook-ca-path="+filepath.Join(certificates, "ca.crt"), "--max-concurrent-tcp-reconciles=2",
	)
	if err != nil {
		return err
	}
	w.processes = append(w.processes, kamaji)
	if err := w.registerKamajiWebhooks(ctx); err != nil {
		return err
	}
	provider, err := process.StartWith([]string{"KUBECONFIG=" + w.controlPlane.Kubeconfig}, "kamaji-provider", w.Dir,
		filepath.Join(w.Bin, "cluster-api-control-plane-provider-kamaji"), "--metrics-bind-address=0", "--health-probe-bind-address=0")
	if err != nil {
		return err
	}
	w.processes = append(w.processes, provider)
	return nil
}

// storeCertificates returns the Secret by which etcd and Kamaji trust each other.
func (w *world) storeCertificates() (*live.Object, error) {
	pki := w.controlPlane.PKI
	content := map[string]any{"ca.crt": string(pki.CA), "ca.key": string(pki.CAKey)}
	for key, path := range map[string]string{"tls.crt": pki.CertFile(), "tls.key": pki.KeyFile()} {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read the certificate of the store: %w", err)
		}
		content[key] = string(text)
	}
	secret := &live.Object{Object: map[string]any{"apiVersion": "v1", "kind": "Secret", "stringData": content}}
	secret.SetName("etcd-certs")
	secret.SetNamespace(kamajiNamespace)
	return secret, nil
}

// registerKamajiWebhooks registers the webhooks of TenantControlPlanes as the chart does.
func (w *world) registerKamajiWebhooks(ctx context.Context) error {
	for kind, file := range map[string]string{"MutatingWebhookConfiguration": "mutating-webhook.yaml", "ValidatingWebhookConfiguration": "validating-webhook.yaml"} {
		path := filepath.Join(w.Upstream, "kamaji", "charts", "kamaji", "controller-gen", file)
		text, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("read the webhooks of Kamaji: %w", err)
		}
		var webhooks []any
		if err := yaml.Unmarshal(text, &webhooks); err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		configuration := &live.Object{Object: map[string]any{"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "webhooks": webhooks}}
		configuration.SetName("kamaji")
		if err := admission.Redirect(configuration, fmt.Sprintf("https://127.0.0.1:%d", webhookPort), w.controlPlane.PKI.CA); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := w.client.Ensure(ctx, configuration); err != nil {
			return err
		}
	}
	return nil
}

func objectsOf(documents []manifest.Document) []*live.Object {
	objects := make([]*live.Object, len(documents))
	for i, document := range documents {
		objects[i] = document.Object
	}
	return objects
}
