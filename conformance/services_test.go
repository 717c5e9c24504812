package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"conformance/internal/cluster"
	"conformance/internal/golden"
)

const (
	tenantNamespace = "tenant-acme"
	// The ServiceAccount of KubeVirt's cloud controller manager in these manifests.
	publisher = "system:serviceaccount:tenant-acme:acme-cloud-controller-manager"
)

// TestPublishedServices makes sure that what a tenant writes into a Service does not reach the management cluster, whereas everything that the
// cloud controller manager does for a harmless one works, and that other users are not affected.
func TestPublishedServices(t *testing.T) {
	server, client := startServer(t)
	applyServicePolicy(t, client)
	services := func(user string) dynamic.ResourceInterface {
		config := rest.CopyConfig(server.Config)
		if user != "" {
			config.Impersonate = rest.ImpersonationConfig{
				UserName: user, Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + tenantNamespace, "system:authenticated"},
			}
		}
		dynamicClient, err := dynamic.NewForConfig(config)
		if err != nil {
			t.Fatal(err)
		}
		return dynamicClient.Resource(schema.GroupVersionResource{Version: "v1", Resource: "services"}).Namespace(tenantNamespace)
	}
	tenant, admin := services(publisher), services("")
	awaitPolicy(t, tenant)

	externalIPs := set([]any{"192.0.2.1"}, "spec", "externalIPs")
	loadBalancerIP := set("192.0.2.1", "spec", "loadBalancerIP")
	poolOfOthers := annotation("metallb.io/loadBalancerIPs", "192.0.2.1")
	nodePort := set("NodePort", "spec", "type")
	health := func(object *unstructured.Unstructured) {
		set("Local", "spec", "externalTrafficPolicy")(object)
		set(int64(30001), "spec", "healthCheckNodePort")(object)
	}

	for _, test := range []struct {
		name    string
		change  func(*unstructured.Unstructured)
		refusal string
	}{
		{"harmless", func(*unstructured.Unstructured) {}, ""},
		{"applied", annotation("kubectl.kubernetes.io/last-applied-configuration", "{}"), ""},
		{"local", set("Local", "spec", "externalTrafficPolicy"), ""},
		{"external-ips", externalIPs, "must not set externalIPs"},
		{"address", loadBalancerIP, "must not set loadBalancerIP"},
		{"annotation", poolOfOthers, "must not set the annotations metallb.io/loadBalancerIPs"},
		{"many-ports", manyPorts(17), "must not have more than 16 ports"},
		{"most-ports", manyPorts(16), ""},
		{"health", health, "must not set healthCheckNodePort"},
		{"type", nodePort, "must be of type LoadBalancer"},
		{"external-name", func(o *unstructured.Unstructured) {
			o.Object["spec"] = map[string]any{"type": "ExternalName", "externalName": "api.example.com"}
		}, "must be of type LoadBalancer"},
	} {
		object := service(test.name)
		test.change(object)
		_, err := tenant.Create(t.Context(), object, v1.CreateOptions{})
		checkRefusal(t, "create "+test.name, err, test.refusal)
	}

	update := func(by dynamic.ResourceInterface, name string, changes ...func(*unstructured.Unstructured)) error {
		object, err := by.Get(t.Context(), name, v1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range changes {
			change(object)
		}
		_, err = by.Update(t.Context(), object, v1.UpdateOptions{})
		return err
	}
	ports := set([]any{map[string]any{"name": "https", "port": int64(443), "protocol": "TCP", "targetPort": int64(30443)}}, "spec", "ports")
	for name, change := range map[string]func(*unstructured.Unstructured){
		"must not set externalIPs": externalIPs, "must not set loadBalancerIP": loadBalancerIP,
		"must not set the annotations metallb.io/loadBalancerIPs": poolOfOthers, "must be of type LoadBalancer": nodePort,
	} {
		checkRefusal(t, "update", update(tenant, "harmless", change), name)
	}
	checkRefusal(t, "update of ports", update(tenant, "harmless", ports), "")

	// The administrator and controllers of the management cluster write what they like, and it does not keep ports from being updated.
	checkRefusal(t, "update by others", update(admin, "local", externalIPs, loadBalancerIP, poolOfOthers), "")
	checkRefusal(t, "update of ports after others", update(tenant, "local", ports), "")
	checkRefusal(t, "more ports by others", update(admin, "most-ports", manyPorts(20)), "")
	checkRefusal(t, "fewer ports than others wrote", update(tenant, "most-ports", manyPorts(18)), "")
	checkRefusal(t, "another address after others", update(tenant, "local", set([]any{"192.0.2.1", "192.0.2.2"}, "spec", "externalIPs")), "must not set externalIPs")
	checkRefusal(t, "another value after others", update(tenant, "local", annotation("metallb.io/loadBalancerIPs", "192.0.2.2")), "must not set the annotations")
}

// applyServicePolicy stores the namespace of the tenant, its policy and the rights of its cloud controller manager.
func applyServicePolicy(t *testing.T, client *cluster.Client) {
	t.Helper()
	applied := 0
	for _, document := range golden.Read(t, "management", "example-diy-cloud") {
		kind, name := document.Object.GetKind(), document.Object.GetName()
		isPolicy := strings.HasPrefix(kind, "ValidatingAdmissionPolicy")
		isAccess := (kind == "Role" || kind == "RoleBinding") && name == "acme-cloud-controller-manager"
		if kind != "Namespace" && !isPolicy && !isAccess {
			continue
		}
		if _, _, err := client.Apply(t.Context(), document.Object, document.Raw); err != nil {
			t.Fatal(err)
		}
		applied++
	}
	if applied != 5 {
		t.Fatalf("the example has %d of namespace, policy, binding, role and its binding", applied)
	}
}

// awaitPolicy waits until the server holds requests to the policy.
func awaitPolicy(t *testing.T, tenant dynamic.ResourceInterface) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, 30*time.Second, true, func(ctx context.Context) (bool, error) {
		object := service("probe")
		set([]any{"192.0.2.1"}, "spec", "externalIPs")(object)
		_, err := tenant.Create(ctx, object, v1.CreateOptions{DryRun: []string{v1.DryRunAll}})
		return err != nil && strings.Contains(err.Error(), "published-services"), nil
	})
	if err != nil {
		t.Fatal("the policy is not in force: ", err)
	}
}

// service is what the cloud controller manager makes of a Service that asks for nothing.
func service(name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Service", "metadata": map[string]any{"name": name},
		"spec": map[string]any{
			"type": "LoadBalancer", "selector": map[string]any{"cluster.x-k8s.io/cluster-name": "acme"},
			"ports": []any{map[string]any{"name": "http", "port": int64(80), "protocol": "TCP", "targetPort": int64(30080)}},
		},
	}}
}

func set(value any, path ...string) func(*unstructured.Unstructured) {
	return func(object *unstructured.Unstructured) {
		if err := unstructured.SetNestedField(object.Object, value, path...); err != nil {
			panic(err)
		}
	}
}

func manyPorts(count int) func(*unstructured.Unstructured) {
	ports := []any{}
	for i := range count {
		ports = append(ports, map[string]any{"name": fmt.Sprint("p", i), "port": int64(8000 + i), "protocol": "TCP", "targetPort": int64(30100 + i)})
	}
	return set(ports, "spec", "ports")
}

func annotation(key, value string) func(*unstructured.Unstructured) {
	return set(value, "metadata", "annotations", key)
}

// checkRefusal checks that the policy refuses with a text, or that nothing refuses if it is empty.
func checkRefusal(t *testing.T, what string, err error, text string) {
	t.Helper()
	switch {
	case text == "" && err != nil:
		t.Errorf("%s: refused: %v", what, err)
	case text != "" && err == nil:
		t.Errorf("%s: accepted, want a refusal with %q", what, text)
	case text != "" && !(strings.Contains(err.Error(), "published-services") && strings.Contains(err.Error(), text)):
		t.Errorf("%s: got %v, want a refusal of the policy with %q", what, err, text)
	}
}
