package alive

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
	corev1 "k8s.io/api/core/v1"

	"conformance/internal/kubelet"
	"conformance/internal/programs"
)

// works say what containers are for, in the order of the table.
var works = [][2]string{
	{"kube-apiserver", "API server of the tenant"},
	{"kube-controller-manager", "controllers of Kubernetes in the tenant"},
	{"kube-scheduler", "scheduler of the tenant"},
	{"cloud-controller-manager", "initializes nodes, publishes Services"},
	{"cluster-autoscaler", "sizes pools"},
	{"csi-driver", "makes and attaches volumes"},
	{"csi-provisioner", "sidecar of the CSI driver: claims"},
	{"csi-attacher", "sidecar of the CSI driver: attachments"},
	{"csi-resizer", "sidecar of the CSI driver: growing claims"},
	{"csi-snapshotter", "sidecar of the CSI driver: snapshots"},
	{"liveness-probe", "sidecar of the CSI driver: its health"},
}

// Usage is what the containers of all tenants of a run took.
type Usage struct{ rows map[usageKey]usageRow }

// usageKey is what containers have in common whose figures can be compared.
type usageKey struct{ container, program, version, memory, limit, cpu string }

// usageRow are the largest figures: memory when everything was done, and the most that there was, in bytes, and thousandths of a processor.
type usageRow struct{ resident, most, cpu int64 }

// add takes over the figures of containers. Those that a stand-in runs for have none.
func (u *Usage) add(table *programs.Table, records []kubelet.ContainerRecord) error {
	if u.rows == nil {
		u.rows = map[usageKey]usageRow{}
	}
	for _, c := range records {
		image, err := table.Find(c.Image)
		if err != nil {
			return err
		}
		if image.StandIn != "" {
			continue
		}
		key := usageKey{
			container: c.Container, program: image.Program, version: image.Version, memory: quantity(c.Request, corev1.ResourceMemory),
			limit: quantity(c.Limits, corev1.ResourceMemory), cpu: quantity(c.Request, corev1.ResourceCPU),
		}
		row := u.rows[key]
		u.rows[key] = usageRow{
			resident: max(row.resident, c.Usage.Resident), most: max(row.most, c.Usage.Memory), cpu: max(row.cpu, c.Usage.CPU.Milliseconds()*1000/c.Age.Milliseconds()),
		}
	}
	return nil
}

// Markdown returns the figures as a table, and a line about the machine.
func (u *Usage) Markdown(now time.Time) (string, error) {
	var machine unix.Sysinfo_t
	if err := unix.Sysinfo(&machine); err != nil {
		return "", fmt.Errorf("read the size of the machine: %w", err)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Measured on %s on %s/%s, %d processors, %d GiB of memory.\n\n", now.Format(time.DateOnly), runtime.GOOS, runtime.GOARCH,
		runtime.NumCPU(), machine.Totalram*uint64(machine.Unit)>>30)
	out.WriteString("| container | what it is | version | memory | most memory | request | limit | CPU | request |\n|---|---|---|---|---|---|---|---|---|\n")
	keys := slices.SortedFunc(maps.Keys(u.rows), func(a, b usageKey) int {
		return cmp.Or(cmp.Compare(place(a.container), place(b.container)), cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	for _, key := range keys {
		i := place(key.container)
		if i == len(works) {
			return "", fmt.Errorf("container %s: say in usage.go what it is for", key.container)
		}
		row := u.rows[key]
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | %s | %s | %s | %dm | %s |\n", key.container, works[i][1], key.version,
			megabytes(row.resident), megabytes(row.most), key.memory, key.limit, row.cpu, key.cpu)
	}
	return out.String(), nil
}

// place is the position of a container in the table, the last one if it is unknown.
func place(container string) int {
	if i := slices.IndexFunc(works, func(work [2]string) bool { return work[0] == container }); i >= 0 {
		return i
	}
	return len(works)
}
