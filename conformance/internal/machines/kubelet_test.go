package machines

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"conformance/internal/programs"
)

// accepted is what the kubelet says, as a user without rights, when it has accepted its configuration and begins to work.
const accepted = "failed to construct kubelet dependencies: mkdir /var/lib/kubelet: permission denied"

// nobody is a user without rights.
const nobody = 65534

// TestTheFirstPartOfTheKubeletSaysWhatTheKubeletSays compares the program in nodes with a whole kubelet, that of the minor of the servers.
func TestTheFirstPartOfTheKubeletSaysWhatTheKubeletSays(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("the root of a file system takes root")
	}
	table, err := programs.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	version, err := table.Version("kubelet")
	if err != nil {
		t.Fatal(err)
	}
	tools, err := table.NodeTools(version)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"kubelet", tools.Kubelet}
	unbuilt, err := table.Unbuilt(programs.Options{}, names...)
	if err != nil {
		t.Fatal(err)
	}
	if len(unbuilt) > 0 && os.Getenv("CONFORMANCE_BUILD") == "" {
		t.Skipf("%s must be built first, which takes minutes: set CONFORMANCE_BUILD=true", strings.Join(unbuilt, " and "))
	}
	built, _, err := table.Build(t.Context(), programs.Options{}, names...)
	if err != nil {
		t.Fatal(err)
	}
	// Nobody looks into the directory of the cache.
	dir, err := os.MkdirTemp("", "kubelet-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	executable, err := os.ReadFile(built[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	kubelet := filepath.Join(dir, "kubelet")
	if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(kubelet, executable, 0o755)); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		fields, argument string
		accepted         bool
	}{
		"nothing":                           {"kind: KubeletConfiguration\n", "--v=1", true},
		"a number":                          {"kind: KubeletConfiguration\nmaxPods: 50\n", "--v=1", true},
		"a wrong number":                    {"kind: KubeletConfiguration\nmaxPods: -1\n", "--v=1", false},
		"a wrong number, and a better flag": {"kind: KubeletConfiguration\nmaxPods: -1\n", "--max-pods=50", true},
		"a number, and a wrong flag":        {"kind: KubeletConfiguration\nmaxPods: 50\n", "--max-pods=-2", false},
		"a field whose gate is off": {
			"kind: KubeletConfiguration\nfeatureGates: {KubeletEnsureSecretPulledImages: false}\nimagePullCredentialsVerificationPolicy: NeverVerify\n", "--v=1", false,
		},
		"a field whose gate a flag switches off": {
			"kind: KubeletConfiguration\nimagePullCredentialsVerificationPolicy: NeverVerify\n", "--feature-gates=KubeletEnsureSecretPulledImages=false", false,
		},
		"gates of file and flag": {
			"kind: KubeletConfiguration\nfeatureGates: {KubeletEnsureSecretPulledImages: false}\n", "--feature-gates=NodeSwap=true", true,
		},
		"an unknown gate":                    {"kind: KubeletConfiguration\nfeatureGates: {NoSuchGate: true}\n", "--v=1", false},
		"an unknown flag":                    {"kind: KubeletConfiguration\n", "--no-such-flag", false},
		"an unknown field":                   {"kind: KubeletConfiguration\nnoSuchField: 1\n", "--v=1", true},
		"an unknown kind":                    {"kind: Other\n", "--v=1", false},
		"a reservation of what there is not": {"kind: KubeletConfiguration\nsystemReserved: {gold: 1}\n", "--v=1", false},
	} {
		t.Run(name, func(t *testing.T) {
			config := filepath.Join(dir, "config.yaml")
			if err := os.WriteFile(config, []byte("apiVersion: kubelet.config.k8s.io/v1beta1\nfailCgroupV1: false\n"+test.fields), 0o644); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			command := exec.CommandContext(ctx, kubelet, "--config="+config, test.argument)
			command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			whole, _ := command.CombinedOutput()
			part, err := exec.CommandContext(ctx, built[1].Path, "--config="+config, test.argument).CombinedOutput()
			if isAccepted := strings.Contains(string(whole), accepted); isAccepted != test.accepted || isAccepted != (err == nil) {
				t.Errorf("the kubelet says: %s\nits first part: %s", reason(string(whole)), part)
			}
		})
	}
}
