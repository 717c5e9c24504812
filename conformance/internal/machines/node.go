package machines

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"

	"sigs.k8s.io/yaml"
)

// Files of kubeadm's dry run.
const (
	kubeletConfig = dryRunDir + "/config.yaml"
	kubeletFlags  = dryRunDir + "/kubeadm-flags.env"
)

// kubeletPatches is how the names of files begin that kubeadm merges into the configuration of a kubelet.
const kubeletPatches = "kubeletconfiguration"

// Validate asks kubeadm about each of its documents in a file: unlike the other commands, it refuses fields that it does not know.
func (m *Machine) Validate(ctx context.Context, file string) error {
	return m.run(ctx, "kubeadm", "config", "validate", "--config="+file)
}

// Join lets kubeadm join a cluster by the configuration in a file, without a change of the cluster, and then starts the kubelet.
func (m *Machine) Join(ctx context.Context, file string) error {
	if err := m.run(ctx, "kubeadm", "join", "--config="+file, "--dry-run", ignored()); err != nil {
		return err
	}
	return m.startKubelet(ctx)
}

// Init lets kubeadm make a cluster by the configuration in a file, without one, and then starts the kubelet.
func (m *Machine) Init(ctx context.Context, file string) error {
	if err := m.run(ctx, "kubeadm", "init", "--config="+file, "--dry-run", ignored()); err != nil {
		return err
	}
	return m.startKubelet(ctx)
}

func ignored() string {
	return "--ignore-preflight-errors=" + strings.Join(Ignored, ",")
}

// startKubelet runs the kubelet as the unit of its package does (kubernetes/release cmd/krel/templates/latest/kubeadm/10-kubeadm.conf).
func (m *Machine) startKubelet(ctx context.Context) error {
	if err := m.comparePatches(); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(m.root, kubeletFlags))
	if err != nil {
		return fmt.Errorf("read the flags of the kubelet: %w", err)
	}
	_, value, found := strings.Cut(strings.TrimSpace(string(text)), "KUBELET_KUBEADM_ARGS=")
	if !found {
		return fmt.Errorf("%s has no KUBELET_KUBEADM_ARGS: %s", kubeletFlags, text)
	}
	args := []string{"--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf", "--kubeconfig=/etc/kubernetes/kubelet.conf", "--config=" + kubeletConfig}
	return m.run(ctx, "kubelet", append(args, strings.Fields(strings.Trim(value, `"`))...)...)
}

// comparePatches wants what the machine's own patches set in the configuration of its kubelet.
func (m *Machine) comparePatches() error {
	text, err := os.ReadFile(filepath.Join(m.root, kubeletConfig))
	if err != nil {
		return fmt.Errorf("read the configuration of the kubelet: %w", err)
	}
	var merged map[string]any
	if err := yaml.Unmarshal(text, &merged); err != nil {
		return fmt.Errorf("read the configuration of the kubelet: %w", err)
	}
	for name, content := range m.files {
		if !strings.HasPrefix(path.Base(name), kubeletPatches) {
			continue
		}
		var patch map[string]any
		if err := yaml.Unmarshal([]byte(content), &patch); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		for field, value := range patch {
			if !reflect.DeepEqual(merged[field], value) {
				return fmt.Errorf("the kubelet has %s: %v, and %s of its machine says %v", field, merged[field], name, value)
			}
		}
	}
	return nil
}
