package providers

import (
	"strings"
	"testing"

	"conformance/internal/live"
	"conformance/internal/manifest"
)

const provider = `
apiVersion: operator.cluster.x-k8s.io/v1alpha2
kind: CoreProvider
metadata: {name: cluster-api, namespace: capi-system}
spec:
  version: v1.14.2
  deployment:
    replicas: 2
    nodeSelector: {management: "true"}
    containers:
      - name: manager
        imageUrl: registry.example.com/controller:v1
        resources: {limits: {memory: 512Mi}}
  manager:
    featureGates: {MachinePool: false, RuntimeSDK: true}
    additionalArgs: {--sync-period: 5m}
`

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: capi-controller-manager, namespace: capi-system}
spec:
  replicas: 2
  template:
    spec:
      nodeSelector: {management: "true"}
      containers:
        - name: manager
          image: registry.example.com/controller:v1
          args: ["--leader-elect", "--feature-gates=ClusterTopology=false,MachinePool=false,RuntimeSDK=true", "--sync-period=5m"]
          resources: {limits: {memory: 512Mi}}
`

func TestADeploymentIsComparedWithWhatItsProviderAsksFor(t *testing.T) {
	for _, test := range []struct{ name, from, to, want string }{
		{"all is there", "", "", ""},
		{"replicas", "replicas: 2", "replicas: 1", "spec.replicas: got 1, want 2"},
		{"labels of nodes", `{management: "true"}`, `{other: "true"}`, "the pods' nodeSelector: got map[other:true], want map[management:true]"},
		{"image", "controller:v1", "controller:v2", "the image of manager: got registry.example.com/controller:v2, want registry.example.com/controller:v1"},
		{"resources", "512Mi", "256Mi", "the resources of manager: got map[limits:map[memory:256Mi]], want map[limits:map[memory:512Mi]]"},
		{"container", "name: manager", "name: proxy", "there is no container manager"},
		{"feature gate", "MachinePool=false", "MachinePool=true", "no feature gate MachinePool=false is in"},
		{"argument", "--sync-period=5m", "--sync-period=10m", "no argument --sync-period=5m is in"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Join(compare(parse(t, provider), parse(t, strings.Replace(deployment, test.from, test.to, 1))), "\n")
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func parse(t *testing.T, text string) *live.Object {
	t.Helper()
	documents, err := manifest.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return documents[0].Object
}
