package providers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/live"
)

// compare returns what a provider asks for and its Deployment does not have.
func compare(provider, deployment *live.Object) []string {
	var missing []string
	expect := func(what string, wanted, got any) {
		if !equality.Semantic.DeepEqual(wanted, got) {
			missing = append(missing, fmt.Sprintf("%s: got %v, want %v", what, got, wanted))
		}
	}
	asked, _, _ := unstructured.NestedMap(provider.Object, "spec", "deployment")
	if replicas, found := asked["replicas"]; found {
		expect("spec.replicas", replicas, live.Int(deployment.Object, "spec", "replicas"))
	}
	pod, _, _ := unstructured.NestedMap(deployment.Object, "spec", "template", "spec")
	for _, field := range []string{"tolerations", "nodeSelector", "imagePullSecrets"} {
		if wanted, found := asked[field]; found {
			expect("the pods' "+field, wanted, pod[field])
		}
	}
	for _, wanted := range live.Maps(asked, "containers") {
		name := live.String(wanted, "name")
		container := containerOf(pod, name)
		if container == nil {
			missing = append(missing, "there is no container "+name)
			continue
		}
		if image := live.String(wanted, "imageUrl"); image != "" {
			expect("the image of "+name, image, live.String(container, "image"))
		}
		if resources, found := wanted["resources"]; found {
			expect("the resources of "+name, resources, container["resources"])
		}
	}
	return append(missing, missingArguments(provider, managerOf(pod))...)
}

// missingArguments returns the feature gates and further arguments that a provider asks for and its manager does not have.
func missingArguments(provider *live.Object, container map[string]any) []string {
	args, _, _ := unstructured.NestedStringSlice(container, "args")
	var missing []string
	gates, _, _ := unstructured.NestedMap(provider.Object, "spec", "manager", "featureGates")
	for _, gate := range slices.Sorted(maps.Keys(gates)) {
		wanted := fmt.Sprintf("%s=%v", gate, gates[gate])
		if !slices.ContainsFunc(args, func(arg string) bool {
			list, found := strings.CutPrefix(arg, "--feature-gates=")
			return found && slices.Contains(strings.Split(list, ","), wanted)
		}) {
			missing = append(missing, fmt.Sprintf("no feature gate %s is in %q", wanted, args))
		}
	}
	further := live.Strings(provider.Object, "spec", "manager", "additionalArgs")
	for _, name := range slices.Sorted(maps.Keys(further)) {
		if wanted := name + "=" + further[name]; !slices.Contains(args, wanted) {
			missing = append(missing, fmt.Sprintf("no argument %s is in %q", wanted, args))
		}
	}
	return missing
}

// managerOf is the container whose arguments the operator changes (kubernetes-sigs/cluster-api-operator internal/controller/component_customizer.go,
// findManagerContainer).
func managerOf(pod map[string]any) map[string]any {
	if container := containerOf(pod, "manager"); container != nil {
		return container
	}
	for _, first := range live.Maps(pod, "containers") {
		return first
	}
	return nil
}

func containerOf(pod map[string]any, name string) map[string]any {
	for _, container := range live.Maps(pod, "containers") {
		if live.String(container, "name") == name {
			return container
		}
	}
	return nil
}
