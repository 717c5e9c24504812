package alive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"conformance/internal/live"
	"conformance/internal/standins"
)

// apiServer is the name of the container of an API server.
const apiServer = "kube-apiserver"

// awaitControlPlane waits until the control plane has the version and the size that the page says.
func (t *tenant) awaitControlPlane(ctx context.Context) error {
	written := t.controlPlaneObject()
	if written == nil {
		return errors.New("the page has no control plane")
	}
	size, version := sizeOf(written), live.String(written.Object, "spec", "version")
	return t.await(ctx, controlPlaneLimit, func() (string, error) {
		found, err := t.client.Get(ctx, written.GroupVersionKind().GroupKind(), written.GetNamespace(), written.GetName())
		if err != nil || found == nil {
			return "there is no control plane", err
		}
		servers, err := t.apiServers(ctx)
		if err != nil {
			return "", err
		}
		if int64(len(servers)) != size {
			return fmt.Sprintf("there are %d pods of the API server, not %d", len(servers), size), nil
		}
		if size == 0 {
			return "", nil
		}
		for pod, tag := range servers {
			if tag != version {
				return fmt.Sprintf("pod %s runs %s, not %s", pod, tag, version), nil
			}
		}
		if got := live.String(found.Object, "status", "version"); got != version {
			return fmt.Sprintf("%s reports %q, not %s", live.Describe(found), got, version), nil
		}
		cluster, err := t.client.Get(ctx, live.Cluster, t.namespace(), t.name())
		if err != nil || cluster == nil {
			return "there is no Cluster", err
		}
		return live.MissingCondition(cluster, "ControlPlaneAvailable"), nil
	})
}

// apiServers returns the tags of the images of the tenant's API servers, by the names of their pods.
func (t *tenant) apiServers(ctx context.Context) (map[string]string, error) {
	pods, err := t.client.List(ctx, podKind, t.namespace(), nil)
	if err != nil {
		return nil, err
	}
	servers := map[string]string{}
	for i := range pods {
		if name, image := containerOf(&pods[i]); name == apiServer {
			servers[pods[i].GetName()] = image[strings.LastIndex(image, ":")+1:]
		}
	}
	return servers, nil
}

// containerOf returns name and image of the API server of a pod, or nothing.
func containerOf(pod *live.Object) (name, image string) {
	for _, container := range live.Maps(pod.Object, "spec", "containers") {
		if live.String(container, "name") == apiServer && !live.IsDeleting(pod) {
			return apiServer, live.String(container, "image")
		}
	}
	return "", ""
}

// awaitControllers waits until each Deployment runs as it is written, and no pod of a former state is left.
func (t *tenant) awaitControllers(ctx context.Context) error {
	crashed := t.watchCrashes()
	return t.await(ctx, machinesLimit, func() (string, error) {
		if err := crashed(); err != nil {
			return "", err
		}
		for _, written := range t.ofKind(live.Deployment) {
			found, err := t.client.Get(ctx, live.Deployment, written.GetNamespace(), written.GetName())
			if err != nil || found == nil {
				return "there is no Deployment " + written.GetName(), err
			}
			if missing := notRolledOut(written, found); missing != "" {
				return "Deployment " + written.GetName() + ": " + missing, nil
			}
		}
		return "", nil
	})
}

// notRolledOut returns what is missing until a Deployment has all its pods, and no other.
func notRolledOut(written, found *live.Object) string {
	size := sizeOf(written)
	if live.Int(found.Object, "status", "observedGeneration") != found.GetGeneration() {
		return "its controller has not seen the last change"
	}
	if !slices.Equal(images(written), images(found)) {
		return fmt.Sprintf("it has the images %v, not %v", images(found), images(written))
	}
	for _, count := range []string{"replicas", "updatedReplicas", "availableReplicas"} {
		if got := live.Int(found.Object, "status", count); got != size {
			return fmt.Sprintf("status.%s is %d, not %d; %s", count, got, size, live.Describe(found))
		}
	}
	return ""
}

func images(deployment *live.Object) (images []string) {
	for _, container := range live.Maps(deployment.Object, "spec", "template", "spec", "containers") {
		images = append(images, live.String(container, "image"))
	}
	return images
}

// awaitMachines waits until each pool has as many machines as it is to have, all of its version, and each of them is a virtual machine and a node; nothing else is.
func (t *tenant) awaitMachines(ctx context.Context) error {
	return t.await(ctx, machinesLimit, func() (string, error) {
		total := int64(0)
		versions := map[string]string{}
		for _, written := range t.ofKind(live.MachineDeployment) {
			pool, err := t.client.Get(ctx, live.MachineDeployment, written.GetNamespace(), written.GetName())
			if err != nil || pool == nil {
				return "there is no MachineDeployment " + written.GetName(), err
			}
			if missing := notSettled(written, pool); missing != "" {
				return missing + "; " + live.Describe(pool), nil
			}
			total += live.Int(pool.Object, "spec", "replicas")
			versions[pool.GetName()] = live.String(written.Object, "spec", "template", "spec", "version")
		}
		machines, err := t.client.List(ctx, live.Machine, t.namespace(), t.labels())
		if err != nil {
			return "", err
		}
		for i := range machines {
			wanted := versions[machines[i].GetLabels()[live.PoolLabel]]
			if got := live.String(machines[i].Object, "spec", "version"); got != wanted || live.IsDeleting(&machines[i]) {
				return fmt.Sprintf("%s has version %s, the pool has %s", live.Describe(&machines[i]), got, wanted), nil
			}
		}
		virtual, err := t.client.List(ctx, live.VirtualMachine, t.namespace(), t.labels())
		if err != nil || int64(len(machines)) != total || int64(len(virtual)) != total {
			return fmt.Sprintf("there are %d machines and %d virtual ones, not %d", len(machines), len(virtual), total), err
		}
		return t.missingNodes(ctx, total)
	})
}

func (t *tenant) labels() map[string]string { return map[string]string{live.ClusterLabel: t.name()} }

// notSettled returns what is missing until a pool has the size that is written, or that the autoscaler gave it.
func notSettled(written, pool *live.Object) string {
	size := live.Int(pool.Object, "spec", "replicas")
	if stated, isStated := statedSize(written); isStated && size != stated {
		return fmt.Sprintf("it wants %d machines, not %d", size, stated)
	}
	if live.Int(pool.Object, "status", "observedGeneration") != pool.GetGeneration() {
		return "its controller has not seen the last change"
	}
	for _, count := range []string{"replicas", "upToDateReplicas", "availableReplicas"} {
		if got := live.Int(pool.Object, "status", count); got != size {
			return fmt.Sprintf("status.%s is %d, not %d", count, got, size)
		}
	}
	return ""
}

// missingNodes compares the nodes of the tenant with a number, unless the API server of the tenant is stopped.
func (t *tenant) missingNodes(ctx context.Context, total int64) (string, error) {
	if t.isStopped() {
		return "", nil
	}
	client, err := t.tenantClient(ctx)
	if err != nil {
		return "", err
	}
	nodes, err := client.List(ctx, live.Node, "", nil)
	if err != nil || int64(len(nodes)) != total {
		return fmt.Sprintf("the tenant has %d nodes, not %d", len(nodes), total), err
	}
	return "", nil
}

// tenantClient reaches the API server of the tenant.
func (t *tenant) tenantClient(ctx context.Context) (*live.Client, error) {
	client, _, err := standins.TenantClient(ctx, t.client, t.namespace(), t.name(), manager)
	if err == nil && client == nil {
		err = errors.New("there is no kubeconfig of the tenant")
	}
	return client, err
}
