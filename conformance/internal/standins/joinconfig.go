package standins

import (
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

// JoinFile is where the kubeadm bootstrap provider lets cloud-init write the configuration of a machine that joins.
const JoinFile = "/run/kubeadm/kubeadm-join-config.yaml"

// JoinConfig is what kubeadm on a machine is told about its node.
type JoinConfig struct {
	// Endpoint is the API server that the machine joins, as host:port.
	Endpoint string
	// TokenID is the first part of the token by which the machine knows the API server.
	TokenID string
	// NodeName is the name of the node, empty for the name of the machine.
	NodeName string
	// KubeletArgs are the arguments of the kubelet.
	KubeletArgs map[string]string
	// Taints are the taints the node registers with.
	Taints []Taint
}

// Taint is a taint of a node.
type Taint struct {
	Key    string `json:"key"`
	Value  string `json:"value,omitempty"`
	Effect string `json:"effect"`
}

// kubeadmJoin is the part of kubeadm's JoinConfiguration that matters here, in all versions of its API.
type kubeadmJoin struct {
	Discovery struct {
		BootstrapToken struct {
			APIServerEndpoint string `json:"apiServerEndpoint"`
			Token             string `json:"token"`
		} `json:"bootstrapToken"`
	} `json:"discovery"`
	NodeRegistration struct {
		Name             string  `json:"name"`
		KubeletExtraArgs any     `json:"kubeletExtraArgs"`
		Taints           []Taint `json:"taints"`
	} `json:"nodeRegistration"`
}

// cloudConfig is the part of a cloud-config that writes files.
type cloudConfig struct {
	WriteFiles []struct {
		Path    string `json:"path"`
		Content string `json:"content"`
	} `json:"write_files"`
}

// Files returns the files that bootstrap data for cloud-init writes, by path.
func Files(userData []byte) (map[string]string, error) {
	if !strings.Contains(string(userData[:min(len(userData), 200)]), "#cloud-config") {
		return nil, fmt.Errorf("the bootstrap data is no cloud-config")
	}
	var config cloudConfig
	if err := yaml.Unmarshal(userData, &config); err != nil {
		return nil, fmt.Errorf("read the bootstrap data: %w", err)
	}
	files := make(map[string]string, len(config.WriteFiles))
	for _, file := range config.WriteFiles {
		files[file.Path] = file.Content
	}
	return files, nil
}

// ReadJoinConfig reads the bootstrap data of a machine that joins a cluster.
func ReadJoinConfig(userData []byte) (*JoinConfig, error) {
	files, err := Files(userData)
	if err != nil {
		return nil, err
	}
	content, found := files[JoinFile]
	if !found {
		return nil, fmt.Errorf("the bootstrap data writes no %s", JoinFile)
	}
	var join kubeadmJoin
	if err := yaml.Unmarshal([]byte(content), &join); err != nil {
		return nil, fmt.Errorf("read %s: %w", JoinFile, err)
	}
	tokenID, _, _ := strings.Cut(join.Discovery.BootstrapToken.Token, ".")
	config := &JoinConfig{
		TokenID:     tokenID,
		Endpoint:    join.Discovery.BootstrapToken.APIServerEndpoint,
		KubeletArgs: kubeletArgs(join.NodeRegistration.KubeletExtraArgs),
		Taints:      join.NodeRegistration.Taints,
	}
	// A template is filled in by cloud-init on the machine, with the machine's name.
	if name := join.NodeRegistration.Name; !strings.Contains(name, "{{") {
		config.NodeName = name
	}
	return config, nil
}

// kubeletArgs reads a list of names and values, or the mapping that kubeadm's API had before v1beta4.
func kubeletArgs(value any) map[string]string {
	args := map[string]string{}
	switch typed := value.(type) {
	case map[string]any:
		for name, value := range typed {
			args[name] = fmt.Sprint(value)
		}
	case []any:
		for _, item := range typed {
			if fields, ok := item.(map[string]any); ok {
				args[fmt.Sprint(fields["name"])] = fmt.Sprint(fields["value"])
			}
		}
	}
	return args
}
