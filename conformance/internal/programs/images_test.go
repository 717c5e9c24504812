package programs

import (
	"slices"
	"strings"
	"testing"
)

func TestImagesHaveThePrograms(t *testing.T) {
	table := read(t, "../..")
	const manager = "kubevirt-cloud-controller-manager"
	const digest = "@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	for _, test := range []struct {
		reference, program, path string
		user                     int64
		differs                  bool
	}{
		{"quay.io/kubevirt/" + manager + ":v0.6.0", manager, "/bin/" + manager, 0, false},
		{"registry.internal:5000/mirror/kubevirt/" + manager + ":v0.6.0", manager, "/bin/" + manager, 0, false},
		{"quay.io/kubevirt/" + manager + ":v0.6.0" + digest, manager, "/bin/" + manager, 0, false},
		{"registry.k8s.io/autoscaling/cluster-autoscaler:v1.34.5", "cluster-autoscaler-1.34.5", "/cluster-autoscaler", 65532, false},
		{"registry.k8s.io/autoscaling/cluster-autoscaler:v1.36.1" + digest, "cluster-autoscaler-1.36.1", "/cluster-autoscaler", 65532, false},
		{"registry.k8s.io/autoscaling/cluster-autoscaler" + digest, "cluster-autoscaler-1.36.1", "/cluster-autoscaler", 65532, true},
		{"registry.example.com/kubevirt/kubevirt-csi-driver:27b52aa2", "kubevirt-csi-driver", "/kubevirt-csi-driver", 0, false},
		{"registry.example.com:5000/kubevirt-csi-driver" + digest, "kubevirt-csi-driver", "/kubevirt-csi-driver", 0, true},
		{"registry.k8s.io/autoscaling/cluster-autoscaler:v1.35.2", "cluster-autoscaler-1.36.1", "/cluster-autoscaler", nonRoot, true},
		{"registry.k8s.io/sig-storage/csi-provisioner:v6.4.0", "csi-provisioner", "/csi-provisioner", 0, false},
		{"registry.k8s.io/sig-storage/csi-attacher:v4.13.0", "csi-attacher", "/csi-attacher", 0, false},
		{"registry.k8s.io/sig-storage/csi-resizer:v2.3.0", "csi-resizer", "/csi-resizer", 0, false},
		{"registry.k8s.io/sig-storage/csi-snapshotter:v8.7.0", "csi-snapshotter", "/csi-snapshotter", 0, false},
		{"registry.k8s.io/sig-storage/snapshot-controller:v8.7.0", "snapshot-controller", "/snapshot-controller", 0, false},
		{"registry.k8s.io/sig-storage/livenessprobe:v2.19.0", "livenessprobe", "/livenessprobe", 0, false},
		{"registry.k8s.io/kube-apiserver:v1.34.1", "kube-apiserver", "/usr/local/bin/kube-apiserver", 0, true},
		{"registry.k8s.io/kube-controller-manager:v1.34.1", "kube-controller-manager", "/usr/local/bin/kube-controller-manager", 0, true},
		{"registry.k8s.io/kube-scheduler:v1.34.1", "kube-scheduler", "/usr/local/bin/kube-scheduler", 0, true},
		{"registry.k8s.io/kas-network-proxy/proxy-server:v0.34.0", HostSleep, "/proxy-server", 65532, false},
		{"docker.io/library/busybox:1.37.0", HostShell, "/bin/sh", 0, false},
	} {
		t.Run(test.reference, func(t *testing.T) {
			image, err := table.Find(test.reference)
			if err != nil {
				t.Fatal(err)
			}
			if image.Program != test.program || image.Path != test.path || image.User != test.user || (image.Differs != "") != test.differs {
				t.Errorf("%+v", image)
			}
			if isProgram := slices.Contains(table.Names(), image.Program); isProgram != (image.StandIn == "") || isProgram != (image.Version != "") {
				t.Errorf("a program that is built has a version and no reason for a stand-in, and others the reverse: %+v", image)
			}
		})
	}
}

func TestImagesOfTheAutoscalerHaveNoEntrypoint(t *testing.T) {
	image, err := read(t, "../..").Find("registry.k8s.io/autoscaling/cluster-autoscaler:v1.36.1")
	if err != nil || len(image.Entrypoint) > 0 || !slices.Equal(image.Command, []string{"/cluster-autoscaler"}) {
		t.Errorf("%+v (%v)", image, err)
	}
}

func TestOtherImagesAreRefused(t *testing.T) {
	table := read(t, "../..")
	for reference, want := range map[string]string{
		"registry.example.com/team-a/web:2.3.1":                         "no program is known for this image; known are images of kubevirt-cloud-controller-manager, ",
		"registry.example.com/not-busybox:1.37.0":                       "no program is known",
		"registry.k8s.io/autoscaling/cluster-autoscaler:v1.36.2":        "this version is not built; built are v1.34.5, v1.36.1",
		"registry.k8s.io/autoscaling/cluster-autoscaler":                "this version is not built; built are v1.34.5, v1.36.1",
		"quay.io/kubevirt/kubevirt-cloud-controller-manager:v0.6.1":     "this version is not built; built are v0.6.0",
		"registry.k8s.io/sig-storage/csi-resizer:v2.2.1@sha256:aaaaaaa": "this version is not built; built are v2.3.0",
	} {
		if image, err := table.Find(reference); err == nil || !strings.HasPrefix(err.Error(), reference+": "+want) {
			t.Errorf("%s: %+v, error %v", reference, image, err)
		}
	}
}

func TestEachImageHasAProgramOrAReason(t *testing.T) {
	table := read(t, "../..")
	for _, repository := range repositories {
		if (repository.StandIn == "") == (len(repository.programs) == 0) {
			t.Errorf("%s: programs %v, stand-in %q", repository.name, repository.programs, repository.StandIn)
		}
		for _, program := range repository.programs {
			if _, err := table.find(program); err != nil {
				t.Errorf("%s: %v", repository.name, err)
			}
		}
	}
}
