// Command bootstrapdata writes what the kubeadm bootstrap provider of Cluster API makes for a machine: its own code renders kubeadm's configuration and the
// cloud-config, and what it gets from a cluster that runs is made up (sigs.k8s.io/cluster-api bootstrap/kubeadm/reconcilers/kubeadmconfig).
//
// It reads a JSON object with a machine on each line of standard input, and writes one with its cloud-config to standard output.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/blang/semver/v4"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	bootstrapv1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/pkg/cloudinit"
	kubeadmtypes "sigs.k8s.io/cluster-api/bootstrap/kubeadm/pkg/types"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/pkg/types/upstream"
	"sigs.k8s.io/cluster-api/util/secret"
)

// longestLine is more than any machine needs.
const longestLine = 1 << 20

// machine is one that is to become a node.
type machine struct {
	ID      string            `json:"id"`
	Cluster clusterv1.Cluster `json:"cluster"`
	Version string            `json:"version"`
	// Spec is that of a KubeadmConfig. Without a configuration to join, the machine is the first of a control plane.
	Spec bootstrapv1.KubeadmConfigSpec `json:"spec"`
	// Discovery is how a machine that joins finds the cluster.
	Discovery bootstrapv1.BootstrapTokenDiscovery `json:"discovery"`
}

// data is what a machine reads when it starts.
type data struct {
	ID   string `json:"id"`
	Data string `json:"data"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	lines, encoder := bufio.NewScanner(in), json.NewEncoder(out)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		m := machine{}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return fmt.Errorf("read a machine: %w", err)
		}
		version, err := semver.ParseTolerant(m.Version)
		if err != nil {
			return fmt.Errorf("%s: %w", m.ID, err)
		}
		text, err := m.render(version)
		if err != nil {
			return fmt.Errorf("%s: %w", m.ID, err)
		}
		if err := encoder.Encode(data{m.ID, string(text)}); err != nil {
			return fmt.Errorf("write the data of %s: %w", m.ID, err)
		}
	}
	return lines.Err()
}

// render returns the cloud-config of the machine.
func (m *machine) render(version semver.Version) ([]byte, error) {
	base := cloudinit.BaseUserData{
		AdditionalFiles: m.Spec.Files, BootCommands: m.Spec.BootCommands, PreKubeadmCommands: m.Spec.PreKubeadmCommands,
		PostKubeadmCommands: m.Spec.PostKubeadmCommands, Users: m.Spec.Users, Mounts: m.Spec.Mounts, KubernetesVersion: version,
	}
	if !m.Spec.JoinConfiguration.IsDefined() {
		return m.renderFirst(base, version)
	}
	join := m.Spec.JoinConfiguration.DeepCopy()
	join.Discovery.BootstrapToken = m.Discovery
	join.NodeRegistration.Taints = ptr.To(append(ptr.Deref(join.NodeRegistration.Taints, []corev1.Taint{}), clusterv1.NodeUninitializedTaint))
	text, err := kubeadmtypes.MarshalJoinConfigurationForVersion(join, version)
	if err != nil {
		return nil, err
	}
	return cloudinit.NewNode(&cloudinit.NodeInput{BaseUserData: base, JoinConfiguration: text})
}

// renderFirst returns the cloud-config of the machine that makes the cluster.
func (m *machine) renderFirst(base cloudinit.BaseUserData, version semver.Version) ([]byte, error) {
	network, configuration := m.Cluster.Spec.ClusterNetwork, m.Spec.ClusterConfiguration
	if configuration.ControlPlaneEndpoint == "" {
		configuration.ControlPlaneEndpoint = m.Discovery.APIServerEndpoint
	}
	cluster, err := kubeadmtypes.MarshalClusterConfigurationForVersion(&configuration, version, &upstream.AdditionalData{
		ClusterName: &m.Cluster.Name, KubernetesVersion: &m.Version, DNSDomain: &network.ServiceDomain,
		ServiceSubnet: ptr.To(network.Services.String()), PodSubnet: ptr.To(network.Pods.String()),
	})
	if err != nil {
		return nil, err
	}
	init, err := kubeadmtypes.MarshalInitConfigurationForVersion(&m.Spec.InitConfiguration, version)
	if err != nil {
		return nil, err
	}
	certificates := secret.NewCertificatesForInitialControlPlane(&configuration)
	if err := certificates.Generate(); err != nil {
		return nil, fmt.Errorf("make the certificates of the cluster: %w", err)
	}
	return cloudinit.NewInitControlPlane(&cloudinit.ControlPlaneInput{
		BaseUserData: base, Certificates: certificates, ClusterConfiguration: cluster, InitConfiguration: init,
	})
}
