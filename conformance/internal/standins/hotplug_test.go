package standins

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/client-go/rest"

	"conformance/internal/live"
)

func TestVolumesPluggedInAtOnceAllStay(t *testing.T) {
	server := httptest.NewServer(&machineServer{objects: map[string][]byte{
		"virtualmachines": []byte(`{"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine", "metadata": {"name": "m", "namespace": "n"},
			"spec": {"template": {"spec": {"domain": {"devices": {}}}}}}`),
		"virtualmachineinstances": []byte(`{"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachineInstance", "metadata": {"name": "m", "namespace": "n"},
			"spec": {"domain": {"devices": {}}}, "status": {}}`),
	}})
	defer server.Close()
	client, err := live.NewClient(&rest.Config{Host: server.URL, QPS: 1000, Burst: 1000}, "test")
	if err != nil {
		t.Fatal(err)
	}
	hotplug := &Hotplug{Client: client}
	const count = 10
	var group sync.WaitGroup
	for i := range count {
		group.Go(func() {
			body := fmt.Sprintf(`{"name": "v%d", "disk": {"disk": {"bus": "scsi"}}, "volumeSource": {"dataVolume": {"name": "v%d"}}}`, i, i)
			request := httptest.NewRequest(http.MethodPut,
				"/apis/"+hotplugGroup+"/"+hotplugVersion+"/namespaces/n/virtualmachines/m/addvolume", strings.NewReader(body))
			response := httptest.NewRecorder()
			hotplug.ServeHTTP(response, request)
			if response.Code != http.StatusAccepted {
				t.Errorf("v%d: %d %s", i, response.Code, response.Body)
			}
		})
	}
	group.Wait()
	instance, err := client.Get(t.Context(), live.VirtualMachineInstance, "n", "m")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range [][]string{{"spec", "volumes"}, {"spec", "domain", "devices", "disks"}, {"status", "volumeStatus"}} {
		if got := len(live.Maps(instance.Object, path...)); got != count {
			t.Errorf("%s: %d of %d volumes", strings.Join(path, "."), got, count)
		}
	}
}

// machineServer is an API server for two objects that merges patches, and does nothing else.
type machineServer struct {
	objects map[string][]byte
	lock    sync.Mutex
}

func (s *machineServer) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	s.lock.Lock()
	defer s.lock.Unlock()
	switch request.URL.Path {
	case "/api":
		writeJSON(response, map[string]any{"kind": "APIVersions", "versions": []string{}})
	case "/apis":
		version := map[string]any{"groupVersion": "kubevirt.io/v1", "version": "v1"}
		writeJSON(response, map[string]any{"kind": "APIGroupList", "apiVersion": "v1", "groups": []any{
			map[string]any{"name": "kubevirt.io", "versions": []any{version}, "preferredVersion": version},
		}})
	case "/apis/kubevirt.io/v1":
		writeJSON(response, map[string]any{"kind": "APIResourceList", "groupVersion": "kubevirt.io/v1", "resources": []any{
			map[string]any{"name": "virtualmachines", "kind": "VirtualMachine", "namespaced": true},
			map[string]any{"name": "virtualmachineinstances", "kind": "VirtualMachineInstance", "namespaced": true},
		}})
	default:
		resource := strings.Split(request.URL.Path, "/")[6]
		if request.Method == http.MethodPatch {
			patch, err := io.ReadAll(request.Body)
			if err == nil {
				s.objects[resource], err = jsonpatch.MergePatch(s.objects[resource], patch)
			}
			if err != nil {
				http.Error(response, err.Error(), http.StatusBadRequest)
				return
			}
		}
		writeJSON(response, json.RawMessage(s.objects[resource]))
	}
}
