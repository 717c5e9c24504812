package programs

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
)

// Programs of the host that run where an image has no program that can be built.
const (
	// HostShell stands for an image that has a shell and small tools only.
	HostShell = "sh"
	// HostSleep stands for a program that only has to be there.
	HostSleep = "sleep"
)

// Image is what a container image holds, as far as a process needs it.
type Image struct {
	// Program is the name that [Table.Build] knows, or HostShell or HostSleep with the reason in StandIn.
	Program string
	// Version is that of the program, empty for a stand-in.
	Version string
	// Path is where the executable is in the image, such as /cluster-autoscaler.
	Path string
	// Entrypoint runs before the arguments of a container without a command.
	Entrypoint []string
	// Command runs if a container has neither a command nor arguments, and there is no Entrypoint.
	Command []string
	// User is the user of a container that names none.
	User int64
	// StandIn says why a stand-in runs in place of the program; it is empty if the program is real.
	StandIn string
	// Differs says what else than the image's version runs; it is empty if the versions are the same.
	Differs string
}

const (
	root = 0
	// nonRoot is the user of distroless images with the tag nonroot.
	nonRoot = 65532
)

// repository is what images of a repository hold, whatever the registry, or the folder of a mirror in it.
type repository struct {
	name string
	Image
	// programs are those with a version each, in their order; the tag of the image chooses one, or the next if it is not among them.
	programs []string
	// anyVersion is set if what is built runs for every tag.
	anyVersion bool
}

var repositories = []repository{
	// kubevirt/cloud-provider-kubevirt, build/images/kubevirt-cloud-controller-manager/Dockerfile
	program("kubevirt-cloud-controller-manager", "/bin/kubevirt-cloud-controller-manager"),
	// kubevirt/csi-driver, Dockerfile; upstream publishes no versions
	unversioned(program("kubevirt-csi-driver", "/kubevirt-csi-driver")),
	// kubernetes/autoscaler, cluster-autoscaler/Dockerfile: no entry point, so that arguments alone replace the program
	{
		name:     "cluster-autoscaler",
		Image:    Image{Path: "/cluster-autoscaler", Command: []string{"/cluster-autoscaler"}, User: nonRoot},
		programs: []string{"cluster-autoscaler-1.34.5", "cluster-autoscaler-1.36.1"},
	},
	// kubernetes-csi/external-*, Dockerfile and cmd/*/Dockerfile; kubernetes-csi/livenessprobe, Dockerfile
	program("csi-attacher", "/csi-attacher"),
	program("csi-provisioner", "/csi-provisioner"),
	program("csi-resizer", "/csi-resizer"),
	program("csi-snapshotter", "/csi-snapshotter"),
	program("snapshot-controller", "/snapshot-controller"),
	program("livenessprobe", "/livenessprobe"),
	// kubernetes/kubernetes, build/server-image/Dockerfile: the entry point runs what the command names
	server("kube-apiserver"),
	server("kube-controller-manager"),
	server("kube-scheduler"),
	// kubernetes-sigs/apiserver-network-proxy, artifacts/images/*-build.Dockerfile and Makefile
	standIn("kas-network-proxy/proxy-server", "/proxy-server", nonRoot, "the Go module proxy does not have it: nothing goes through the tunnel"),
	standIn("kas-network-proxy/proxy-agent", "/proxy-agent", nonRoot, "the Go module proxy does not have it: nothing goes through the tunnel"),
	// kubernetes-csi/node-driver-registrar, Dockerfile
	standIn("csi-node-driver-registrar", "/csi-node-driver-registrar", root, "the Go module proxy does not have it: no kubelet learns of the driver"),
	{
		name:  "busybox",
		Image: Image{Program: HostShell, Path: "/bin/sh", Command: []string{"sh"}, User: root, StandIn: "the host's shell and tools run in its place"},
	},
}

func program(name, path string) repository {
	return repository{name: name, Image: Image{Path: path, Entrypoint: []string{path}, User: root}, programs: []string{name}}
}

func server(name string) repository {
	image := Image{Path: "/usr/local/bin/" + name, Entrypoint: []string{"/go-runner"}, User: root}
	return repository{name: name, Image: image, programs: []string{name}, anyVersion: true}
}

func standIn(name, path string, user int64, reason string) repository {
	return repository{name: name, Image: Image{Program: HostSleep, Path: path, Entrypoint: []string{path}, User: user, StandIn: reason}}
}

func unversioned(r repository) repository {
	r.anyVersion = true
	return r
}

// Find returns what an image holds, such as quay.io/kubevirt/kubevirt-cloud-controller-manager:v0.6.0. A digest cannot be compared and
// counts as the tag beside it; without a tag it counts as any version. The error names what is known.
func (t *Table) Find(reference string) (Image, error) {
	name, tag, digest := splitReference(reference)
	i := slices.IndexFunc(repositories, func(r repository) bool { return strings.HasSuffix("/"+name, "/"+r.name) })
	if i < 0 {
		known := make([]string, len(repositories))
		for i, r := range repositories {
			known[i] = r.name
		}
		return Image{}, fmt.Errorf("%s: no program is known for this image; known are images of %s", reference, strings.Join(known, ", "))
	}
	found := repositories[i]
	if found.StandIn != "" {
		return found.Image, nil
	}
	var versions []string
	for _, name := range found.programs {
		r, err := t.find(name)
		if err != nil {
			return Image{}, fmt.Errorf("%s: %w", reference, err)
		}
		if r.Version == tag {
			return found.with(r, ""), nil
		}
		if len(found.programs) > 1 && isLater(r.Version, tag) {
			return found.with(r, fmt.Sprintf("%s runs as %s", reference, r.Name)), nil
		}
		versions = append(versions, r.Version)
	}
	if !found.anyVersion && (tag != "" || digest == "") {
		return Image{}, fmt.Errorf("%s: this version is not built; built are %s", reference, strings.Join(versions, ", "))
	}
	r, err := t.find(found.programs[len(found.programs)-1])
	return found.with(r, fmt.Sprintf("%s runs as %s %s", reference, r.Name, r.Version)), err
}

// isLater reports whether both are versions, and the first is the later one.
func isLater(one, other string) bool {
	a, errA := version.ParseSemantic(one)
	b, errB := version.ParseSemantic(other)
	return errA == nil && errB == nil && b.LessThan(a)
}

// with returns the image with a program.
func (r repository) with(built recipe, differs string) Image {
	image := r.Image
	image.Program, image.Version, image.Differs = built.Name, built.Version, differs
	return image
}

// splitReference returns the parts of a reference; tag and digest can be empty.
func splitReference(reference string) (name, tag, digest string) {
	name, digest, _ = strings.Cut(reference, "@")
	// A colon before the last slash belongs to the port of the registry.
	slash := strings.LastIndex(name, "/")
	if colon := strings.LastIndex(name, ":"); colon > slash {
		name, tag = name[:colon], name[colon+1:]
	}
	return name, tag, digest
}
