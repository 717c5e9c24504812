package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/clastix/cluster-api-control-plane-provider-kamaji/controllers"
	kamajiv1alpha1 "github.com/clastix/kamaji/api/v1alpha1"
	"github.com/clastix/kamaji/internal/kubeadm"
	jsonpatch "github.com/evanphx/json-patch/v5"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubernetes "k8s.io/client-go/kubernetes/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// store is where the data of a control plane is said to be.
const store = "https://192.0.2.2:2379"

// answerState returns the data of the ConfigMaps that Kamaji stores for a state, by name.
func answerState(line []byte, scheme *runtime.Scheme) (any, error) {
	s := state{}
	if err := json.Unmarshal(line, &s); err != nil {
		return nil, fmt.Errorf("read a state: %w", err)
	}
	tenant, err := controllers.TenantControlPlaneOf(context.Background(), fake.NewClientBuilder().WithScheme(scheme).Build(), s.Cluster, s.ControlPlane)
	if err != nil {
		return nil, err
	}
	stored, err := uploads(tenant)
	if err != nil {
		return nil, err
	}
	data := map[string]map[string]string{}
	for _, configMap := range stored {
		data[configMap.Name] = configMap.Data
	}
	return data, nil
}

// uploads are the ConfigMaps that Kamaji stores in a tenant cluster for the machines that join it, as internal/resources/kubeadm_{config,utils,phases}.go do.
func uploads(tenant *kamajiv1alpha1.TenantControlPlane) ([]corev1.ConfigMap, error) {
	network, kubelet := tenant.Spec.NetworkProfile, tenant.Spec.Kubernetes.Kubelet
	config, err := kubeadm.CreateKubeadmInitConfiguration(kubeadm.Parameters{
		TenantControlPlaneName: tenant.Name, TenantControlPlaneNamespace: tenant.Namespace, TenantControlPlaneEndpoint: endpoint,
		TenantControlPlaneClusterDomain: network.ClusterDomain, TenantControlPlanePodCIDR: network.PodCIDRs, TenantControlPlaneServiceCIDR: network.ServiceCIDRs,
		TenantControlPlaneVersion: tenant.Spec.Kubernetes.Version, ETCDs: []string{store},
	})
	if err != nil {
		return nil, fmt.Errorf("make the configuration of kubeadm: %w", err)
	}
	config.Parameters = kubeadm.Parameters{
		TenantDNSServiceIPs: network.DNSServiceIPs, TenantControlPlaneVersion: tenant.Spec.Kubernetes.Version,
		TenantControlPlaneCGroupDriver: kubelet.CGroupFS.String(), //nolint:staticcheck // Kamaji reads it.
	}
	text, err := kubelet.ConfigurationJSONPatches.ToJSON()
	if err != nil {
		return nil, fmt.Errorf("encode the patches of the kubelet configuration: %w", err)
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return nil, fmt.Errorf("decode the patches of the kubelet configuration: %w", err)
	}
	client := kubernetes.NewClientset()
	if _, err := kubeadm.UploadKubeadmConfig(client, config); err != nil {
		return nil, fmt.Errorf("store the configuration of kubeadm: %w", err)
	}
	if _, err := kubeadm.UploadKubeletConfig(client, config, patch); err != nil {
		return nil, fmt.Errorf("store the configuration of kubelets: %w", err)
	}
	found, err := client.CoreV1().ConfigMaps(metav1.NamespaceSystem).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	return found.Items, nil
}
