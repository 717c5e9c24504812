package machines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"conformance/internal/programs"
	"conformance/internal/standins"
)

const version = "v1.34.4"

// tools returns a directory with the tools of the version.
func tools(t *testing.T) (bin string, table *programs.Table) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("the root of a file system takes root")
	}
	table, err := programs.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	tools, err := table.NodeTools(version)
	if err != nil {
		t.Fatal(err)
	}
	unbuilt, err := table.Unbuilt(programs.Options{}, tools.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	if len(unbuilt) > 0 {
		t.Skipf("%s must be built first, which npm run conformance -- --nodes does", strings.Join(unbuilt, " and "))
	}
	built, _, err := table.Build(t.Context(), programs.Options{}, tools.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	bin = t.TempDir()
	for _, program := range built {
		if err := os.Symlink(program.Path, filepath.Join(bin, program.Name)); err != nil {
			t.Fatal(err)
		}
	}
	return bin, table
}

const joinConfiguration = `
apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
discovery:
  bootstrapToken: {apiServerEndpoint: "` + Endpoint + `", token: ` + Token + `, caCertHashes: ["` + CAHash + `"]}
nodeRegistration:
  criSocket: unix:///var/run/containerd/containerd.sock
  kubeletExtraArgs: [{name: node-labels, value: pool=general}]
patches: {directory: /etc/kubernetes/patches}
`

const kubeletConfiguration = `
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cgroupDriver: systemd
`

const clusterConfiguration = `
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.34.1
networking: {serviceSubnet: 10.96.0.0/16, dnsDomain: cluster.local}
`

const patch = `{"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", "maxPods": 50}`

func TestMachinesBecomeNodesOrAreRefused(t *testing.T) {
	bin, table := tools(t)
	for name, test := range map[string]struct{ join, kubelet, patch, refused string }{
		"all is well": {joinConfiguration, kubeletConfiguration, patch, ""},
		"an unknown field for kubeadm": {
			strings.Replace(joinConfiguration, "criSocket", "crisocket", 1), kubeletConfiguration, patch, `unknown field "nodeRegistration.crisocket"`,
		},
		"an unknown argument": {
			strings.Replace(joinConfiguration, "node-labels", "node-label", 1), kubeletConfiguration, patch, "unknown flag: --node-label",
		},
		"a patch that cannot be merged": {joinConfiguration, kubeletConfiguration, `{"maxPods": `, "could not apply patches to the KubeletConfiguration"},
		"a patch that nothing reads": {
			strings.Replace(joinConfiguration, "patches: {directory: /etc/kubernetes/patches}\n", "", 1), kubeletConfiguration, patch,
			"the kubelet has maxPods: ",
		},
		"a wrong value in a patch": {joinConfiguration, kubeletConfiguration, strings.Replace(patch, "50", "-1", 1), "maxPods (--max-pods) -1 must not be a negative number"},
		"a field that is behind a gate": {
			joinConfiguration, kubeletConfiguration + "imagePullCredentialsVerificationPolicy: NeverVerifyPreloadedImages\n", patch,
			"`imagePullCredentialsVerificationPolicy` must not be set",
		},
		"machines with cgroup v1 are excluded": {joinConfiguration, kubeletConfiguration + "failCgroupV1: true\n", patch, "failCgroupV1: true"},
	} {
		t.Run(name, func(t *testing.T) {
			var report strings.Builder
			c := &Case{
				ID: name, Version: version, Join: standins.JoinFile, Refused: test.refused,
				Files: map[string]string{standins.JoinFile: test.join, "/etc/kubernetes/patches/kubeletconfiguration+strategic.json": test.patch},
				ConfigMaps: map[string]map[string]string{
					"kubelet-config": {"kubelet": test.kubelet}, "kubeadm-config": {"ClusterConfiguration": clusterConfiguration},
				},
			}
			if wrong, err := Run(t.Context(), t.TempDir(), bin, table, []*Case{c}, &report); err != nil || wrong != 0 {
				t.Errorf("%s (%v)", report.String(), err)
			}
		})
	}
}
