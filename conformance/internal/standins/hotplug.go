package standins

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"conformance/internal/cluster"
	"conformance/internal/live"
)

// The aggregated API of KubeVirt (kubevirt/kubevirt pkg/virt-api/api.go).
const (
	hotplugGroup     = "subresources.kubevirt.io"
	hotplugVersion   = "v1"
	hotplugNamespace = "kubevirt"
	hotplugService   = "virt-api"
	hotplugPort      = 443
)

// HotplugNames are the names that the certificate of the aggregated API needs.
var HotplugNames = []string{hotplugService + "." + hotplugNamespace + ".svc"}

// Hotplug plays the part of KubeVirt's aggregated API that plugs volumes in and out. The API server judges who may do so.
type Hotplug struct {
	Client *live.Client

	// A change replaces whole lists, and the CSI driver unplugs several volumes of a machine at once: without it, one change would undo another.
	changing sync.Mutex
}

// HotplugObjects register the API, which listens on an address and has a certificate of an authority.
func HotplugObjects(address netip.AddrPort, authority []byte) []*live.Object {
	namespace := cluster.NewNamespace(hotplugNamespace)
	metadata := func(extra map[string]any) map[string]any {
		extra["namespace"] = hotplugNamespace
		return extra
	}
	return []*live.Object{
		namespace,
		{Object: map[string]any{
			"apiVersion": "v1", "kind": "Service", "metadata": metadata(map[string]any{"name": hotplugService}),
			"spec": map[string]any{"ports": []any{map[string]any{"name": "https", "port": int64(hotplugPort), "protocol": "TCP"}}},
		}},
		{Object: map[string]any{
			"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
			"metadata": metadata(map[string]any{
				"name": hotplugService, "labels": map[string]any{"kubernetes.io/service-name": hotplugService},
			}),
			"addressType": "IPv4",
			"ports":       []any{map[string]any{"name": "https", "port": int64(address.Port()), "protocol": "TCP"}},
			"endpoints":   []any{map[string]any{"addresses": []any{address.Addr().String()}, "conditions": map[string]any{"ready": true}}},
		}},
		{Object: map[string]any{
			"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
			"metadata": map[string]any{"name": hotplugVersion + "." + hotplugGroup},
			"spec": map[string]any{
				"group": hotplugGroup, "version": hotplugVersion, "groupPriorityMinimum": int64(1000), "versionPriority": int64(15),
				"caBundle": base64.StdEncoding.EncodeToString(authority),
				"service":  map[string]any{"namespace": hotplugNamespace, "name": hotplugService, "port": int64(hotplugPort)},
			},
		}},
	}
}

// volumeRequest is the body of a request to plug a volume in or out.
type volumeRequest struct {
	Name         string                    `json:"name"`
	Disk         map[string]any            `json:"disk"`
	VolumeSource map[string]map[string]any `json:"volumeSource"`
	DryRun       []string                  `json:"dryRun"`
}

// ServeHTTP answers the API server.
func (h *Hotplug) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	base := "/apis/" + hotplugGroup + "/" + hotplugVersion
	rest, found := strings.CutPrefix(request.URL.Path, base)
	if !found {
		http.NotFound(response, request)
		return
	}
	if rest == "" {
		writeJSON(response, discovery())
		return
	}
	// /namespaces/NAMESPACE/RESOURCE/NAME/ACTION
	parts := strings.Split(strings.TrimPrefix(rest, "/"), "/")
	if request.Method != http.MethodPut || len(parts) != 5 || parts[0] != "namespaces" {
		http.NotFound(response, request)
		return
	}
	var asked volumeRequest
	decoder := json.NewDecoder(request.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&asked); err != nil || asked.Name == "" {
		http.Error(response, fmt.Sprintf("the body is no request for a volume: %v", err), http.StatusBadRequest)
		return
	}
	if err := h.change(request.Context(), parts[1], parts[2], parts[3], parts[4], &asked); err != nil {
		http.Error(response, err.Error(), http.StatusInternalServerError)
		return
	}
	response.WriteHeader(http.StatusAccepted)
}

// change plugs a volume into the instance, and into the machine if that was asked, or out.
func (h *Hotplug) change(ctx context.Context, namespace, resource, name, action string, asked *volumeRequest) error {
	if action != "addvolume" && action != "removevolume" {
		return fmt.Errorf("only addvolume and removevolume are played, not %s", action)
	}
	h.changing.Lock()
	defer h.changing.Unlock()
	instance, err := h.Client.Get(ctx, live.VirtualMachineInstance, namespace, name)
	if err != nil || instance == nil {
		return fmt.Errorf("find the instance %s/%s: %w", namespace, name, err)
	}
	spec, status := instance.Object["spec"].(map[string]any), instance.Object["status"].(map[string]any)
	volumes := without(status["volumeStatus"], asked.Name)
	if action == "addvolume" {
		volumes = append(volumes, map[string]any{
			"name": asked.Name, "target": "sdb", "phase": "Ready", "reason": "VolumeReady", "message": "played",
			"hotplugVolume": map[string]any{"attachPodName": "played", "attachPodUID": "played"},
		})
	}
	// The status of an instance is no subresource.
	patch := map[string]any{"spec": changedSpec(spec, asked, action == "addvolume"), "status": map[string]any{"volumeStatus": volumes}}
	if err := h.Client.Merge(ctx, instance, patch); err != nil {
		return err
	}
	if resource != "virtualmachines" {
		return nil
	}
	machine, err := h.Client.Get(ctx, live.VirtualMachine, namespace, name)
	if err != nil || machine == nil {
		return fmt.Errorf("find the machine %s/%s: %w", namespace, name, err)
	}
	template := machine.Object["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)
	return h.Client.Merge(ctx, machine, map[string]any{"spec": map[string]any{"template": map[string]any{
		"spec": changedSpec(template, asked, action == "addvolume"),
	}}})
}

// changedSpec returns the fields of a machine that a volume changes.
func changedSpec(spec map[string]any, asked *volumeRequest, add bool) map[string]any {
	devices, _ := spec["domain"].(map[string]any)["devices"].(map[string]any)
	volumes, disks := without(spec["volumes"], asked.Name), without(devices["disks"], asked.Name)
	if add {
		volume := map[string]any{"name": asked.Name}
		for source, fields := range asked.VolumeSource {
			// KubeVirt marks what was plugged in, and only that can be plugged out (kubevirt/kubevirt pkg/virt-api/rest/subresource.go).
			fields["hotpluggable"] = true
			volume[source] = fields
		}
		disk := map[string]any{"name": asked.Name}
		for field, value := range asked.Disk {
			disk[field] = value
		}
		volumes, disks = append(volumes, volume), append(disks, disk)
	}
	return map[string]any{"volumes": volumes, "domain": map[string]any{"devices": map[string]any{"disks": disks}}}
}

// without returns a list without the item of a name.
func without(list any, name string) []any {
	items, _ := list.([]any)
	return slices.DeleteFunc(slices.Clone(items), func(item any) bool {
		fields, ok := item.(map[string]any)
		return ok && fields["name"] == name
	})
}

// discovery says what the API has.
func discovery() map[string]any {
	resources := []any{}
	for _, resource := range []string{"virtualmachines", "virtualmachineinstances"} {
		for _, action := range []string{"addvolume", "removevolume"} {
			resources = append(resources, map[string]any{"name": resource + "/" + action, "namespaced": true, "kind": "", "singularName": "", "verbs": []any{"update"}})
		}
	}
	return map[string]any{
		"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": hotplugGroup + "/" + hotplugVersion, "resources": resources,
	}
}

func writeJSON(response http.ResponseWriter, value any) {
	response.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(response).Encode(value)
}
