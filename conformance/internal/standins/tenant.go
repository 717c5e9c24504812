package standins

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"conformance/internal/live"
)

// answerLimit is how long the tenant's API server may take for an answer, so that one that sleeps does not hold up everything else.
const answerLimit = 5 * time.Second

var podKind = schema.GroupKind{Kind: "Pod"}

// TenantClient returns a client for the tenant, and the version of the Secret that it is made from. Without the Secret it is nil.
func TenantClient(ctx context.Context, client *live.Client, namespace, cluster, name string) (_ *live.Client, version string, err error) {
	config, version, err := TenantConfig(ctx, client, namespace, cluster)
	if err != nil || config == nil {
		return nil, "", err
	}
	config.Timeout = answerLimit
	tenant, err := live.NewClient(config, name)
	return tenant, version, err
}

// TenantConfig returns the kubeconfig of the tenant that Cluster API's contract names, and the version of its Secret. Without the Secret it is nil.
func TenantConfig(ctx context.Context, client *live.Client, namespace, cluster string) (_ *rest.Config, version string, err error) {
	secret, err := client.Get(ctx, live.Secret, namespace, cluster+"-kubeconfig")
	if err != nil || secret == nil {
		return nil, "", err
	}
	kubeconfig, err := live.SecretData(secret, "value")
	if err != nil {
		return nil, "", err
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	if err != nil {
		return nil, "", fmt.Errorf("read the kubeconfig of the tenant: %w", err)
	}
	config.QPS = -1
	return config, secret.GetResourceVersion(), nil
}

// stepTenant connects to the tenant as soon as there is a kubeconfig, and again when that changes.
func (s *StandIns) stepTenant(ctx context.Context) error {
	client, version, err := TenantClient(ctx, s.Client, s.Namespace, s.Cluster, "stand-in")
	if err != nil || client == nil || version == s.kubeconfig {
		return err
	}
	s.tenant, s.kubeconfig = &Tenant{Client: client}, version
	return nil
}

// stepPods plays the kubelets of the tenant on its pods: they are ready at once, and go at once.
func (s *StandIns) stepPods(ctx context.Context) error {
	if s.tenant == nil {
		return nil
	}
	pods, err := s.tenant.Client.List(ctx, podKind, "", nil)
	if err != nil {
		return err
	}
	for i := range pods {
		pod := &pods[i]
		if live.String(pod.Object, "spec", "nodeName") == "" || (s.IsReal != nil && s.IsReal(pod)) {
			continue
		}
		switch {
		case live.IsDeleting(pod):
			err = s.tenant.Client.DeleteNow(ctx, pod)
		case live.String(pod.Object, "status", "phase") == "Pending":
			err = s.tenant.Client.Merge(ctx, pod, map[string]any{"status": podStatus(pod)}, "status")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// podStatus is the status of a pod that is ready, or that has ended if it is one of a Job.
func podStatus(pod *live.Object) map[string]any {
	now := time.Now()
	phase, state := "Running", map[string]any{"running": map[string]any{"startedAt": now.UTC().Format(time.RFC3339)}}
	if live.HasOwner(pod, "Job") {
		phase, state = "Succeeded", map[string]any{"terminated": map[string]any{"exitCode": 0, "reason": "Completed"}}
	}
	statuses := []any{}
	for _, container := range live.Maps(pod.Object, "spec", "containers") {
		statuses = append(statuses, map[string]any{
			"name": container["name"], "image": container["image"], "imageID": "", "ready": phase == "Running", "started": phase == "Running",
			"restartCount": 0, "state": state,
		})
	}
	conditions := []any{}
	for _, kind := range []string{"PodScheduled", "Initialized", "ContainersReady", "Ready"} {
		conditions = append(conditions, map[string]any{"type": kind, "status": "True", "lastTransitionTime": now.UTC().Format(time.RFC3339)})
	}
	return map[string]any{"phase": phase, "conditions": conditions, "containerStatuses": statuses, "startTime": now.UTC().Format(time.RFC3339)}
}
