package standins

import (
	"reflect"
	"strings"
	"testing"
)

// userData returns bootstrap data with one file.
func userData(path, content string) []byte {
	return []byte("## template: jinja\n#cloud-config\n\nwrite_files:\n- path: " + path + "\n  content: |\n    " +
		strings.ReplaceAll(content, "\n", "\n    ") + "\n")
}

func TestReadJoinConfig(t *testing.T) {
	taints := []Taint{{Key: "dedicated", Value: "gpu", Effect: "NoSchedule"}}
	args := map[string]string{"cloud-provider": "external", "node-labels": "a=b,c=d"}
	const discovery = "discovery:\n  bootstrapToken:\n    apiServerEndpoint: 127.0.0.1:6443\n    token: abcdef.0123456789abcdef\n"
	for name, test := range map[string]struct {
		registration string
		want         JoinConfig
	}{
		"arguments as a list": {
			"nodeRegistration:\n  kubeletExtraArgs:\n  - name: cloud-provider\n    value: external\n  - name: node-labels\n    value: a=b,c=d\n" +
				"  taints:\n  - {key: dedicated, value: gpu, effect: NoSchedule}",
			JoinConfig{Endpoint: "127.0.0.1:6443", TokenID: "abcdef", KubeletArgs: args, Taints: taints},
		},
		"arguments as a mapping": {
			"nodeRegistration:\n  kubeletExtraArgs: {cloud-provider: external, node-labels: 'a=b,c=d'}",
			JoinConfig{Endpoint: "127.0.0.1:6443", TokenID: "abcdef", KubeletArgs: args},
		},
		"a name": {
			"nodeRegistration:\n  name: worker",
			JoinConfig{Endpoint: "127.0.0.1:6443", TokenID: "abcdef", NodeName: "worker", KubeletArgs: map[string]string{}},
		},
		"a name that cloud-init fills in": {
			"nodeRegistration:\n  name: '{{ ds.meta_data.local_hostname }}'",
			JoinConfig{Endpoint: "127.0.0.1:6443", TokenID: "abcdef", KubeletArgs: map[string]string{}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ReadJoinConfig(userData(JoinFile, discovery+test.registration))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(*got, test.want) {
				t.Errorf("got %+v, want %+v", *got, test.want)
			}
		})
	}
}

func TestReadJoinConfigRefuses(t *testing.T) {
	for name, data := range map[string][]byte{
		"other formats":          []byte(`{"ignition": {}}`),
		"data that joins nobody": userData("/etc/motd", "welcome"),
	} {
		t.Run(name, func(t *testing.T) {
			if config, err := ReadJoinConfig(data); err == nil {
				t.Errorf("got %+v", config)
			}
		})
	}
}
