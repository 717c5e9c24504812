package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"conformance/internal/golden"
	"conformance/internal/process"
	"conformance/internal/programs"
)

// TestRestoreOfHosts runs the commands of hosts.md that put a backup into the place of etcd's data, on a folder that cannot be moved, as a mount point cannot,
// and on a host that has lost it.
func TestRestoreOfHosts(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	commands := restoreCommands(t)
	s := startStore(t, "default")
	mustRun := func(command ...string) {
		t.Helper()
		if output, err := s.run(t, "root", nil, s.bin, command...); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, output)
		}
	}
	snapshot := filepath.Join(s.dir, "snapshot.db")
	mustRun("etcdctl", "put", "/early", "kept")
	mustRun("etcdctl", "snapshot", "save", snapshot)
	mustRun("etcdctl", "put", "/late", "lost")
	s.members[0].process.Stop()

	lost := filepath.Join(t.TempDir(), "etcd")
	data := s.dataDir(s.members[0])
	writeFile(t, filepath.Join(data, "lost+found", "inode"), nil)
	for _, folder := range []string{data, lost} {
		script := strings.NewReplacer("/var/lib/etcd", folder, "SNAPSHOT", snapshot).Replace(commands)
		shell := exec.CommandContext(t.Context(), "sh", "-euc", script)
		shell.Env = []string{"PATH=" + s.bin + ":" + os.Getenv("PATH")}
		if output, err := shell.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s\n%s", err, script, output)
		}
		early, late, members := readRestored(t, s, folder)
		if early != "kept" || late != "" || len(members) != 1 || members[0] != "master01" {
			t.Errorf("%s: early %q, late %q, members %v", folder, early, late, members)
		}
	}
	if _, err := os.Stat(filepath.Join(data, "member.old")); err != nil {
		t.Errorf("the former data is gone: %v", err)
	}
}

// TestAuthoritiesOfHosts lets kubeadm make a control plane from the files that hosts.md has the administrator put back when all control plane hosts are lost: the
// authorities and the key of ServiceAccounts stay, and the API server's certificate has the node's own address, at which cdk8s-cluster-api-ready asks it.
func TestAuthoritiesOfHosts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds kubeadm")
	}
	dir := t.TempDir()
	kubeadm := filepath.Join(dir, "kubeadm")
	if output, err := exec.CommandContext(t.Context(), "go", "build", "-C", "servers", "-o", kubeadm, "k8s.io/kubernetes/cmd/kubeadm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	files := hostFiles(t)
	pki := filepath.Join(dir, "pki")
	version := regexp.MustCompile(`kubernetesVersion: v[\d.]+`)
	configuration := version.ReplaceAllString(section(t, files, "nifcloud-ha/master01/files/etc/kubernetes/kubeadm/init.yaml"), "kubernetesVersion: "+serversVersion(t))
	init := filepath.Join(dir, "init.yaml")
	writeFile(t, init, []byte(strings.Replace(configuration, "kind: ClusterConfiguration\n", "kind: ClusterConfiguration\ncertificatesDir: "+pki+"\n", 1)))
	certificates := func() {
		t.Helper()
		if output, err := exec.CommandContext(t.Context(), kubeadm, "init", "phase", "certs", "all", "--config", init).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
	}
	certificates()
	kept := map[string][]byte{}
	for _, match := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch("`"+between(t, files, "On master01, put `", " of the copy into"), -1) {
		content, err := os.ReadFile(filepath.Join(pki, match[1]))
		if err != nil {
			t.Fatal(err)
		}
		kept[match[1]] = content
	}
	if err := os.RemoveAll(pki); err != nil {
		t.Fatal(err)
	}
	for name, content := range kept {
		writeFile(t, filepath.Join(pki, name), content)
	}
	certificates()
	for name, content := range kept {
		if now, err := os.ReadFile(filepath.Join(pki, name)); err != nil || !bytes.Equal(now, content) {
			t.Errorf("%s is another one: %v", name, err)
		}
	}
	if entries, _ := filepath.Glob(filepath.Join(pki, "*ca.crt")); len(entries) != 2 {
		t.Errorf("authorities: %v", entries)
	}
	pair, err := tls.LoadX509KeyPair(filepath.Join(pki, "apiserver.crt"), filepath.Join(pki, "apiserver.key"))
	if err != nil {
		t.Fatal(err)
	}
	server := between(t, section(t, files, "nifcloud-ha/master01/files/usr/local/sbin/cdk8s-cluster-api-ready 0755"), "--server https://", ":")
	if err := pair.Leaf.VerifyHostname(server); err != nil {
		t.Error(err)
	}
}

// serversVersion returns the release of Kubernetes that the servers have.
func serversVersion(t *testing.T) string {
	_, version, err := programs.Module(t.Context(), "servers", "k8s.io/kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	return version
}

// hostFiles returns the files of the example of hosts, one after the other.
func hostFiles(t *testing.T) string {
	content, err := os.ReadFile(filepath.Join(golden.Folder(t), "hosts", "example-nifcloud-ha.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// section returns a file of the example.
func section(t *testing.T, files, path string) string {
	return between(t, files+"\n# nifcloud-ha/", "# "+path+"\n", "\n# nifcloud-ha/")
}

func between(t *testing.T, text, start, end string) string {
	t.Helper()
	_, after, found := strings.Cut(text, start)
	before, _, ended := strings.Cut(after, end)
	if !found || !ended {
		t.Fatalf("no text between %q and %q", start, end)
	}
	return before
}

// restoreCommands returns the block of hosts.md that calls etcdutl.
func restoreCommands(t *testing.T) string {
	for _, block := range strings.Split(hostFiles(t), "```sh\n")[1:] {
		if block, _, _ := strings.Cut(block, "```"); strings.Contains(block, "etcdutl snapshot restore") {
			return block
		}
	}
	t.Fatal("hosts.md has no commands of etcdutl")
	return ""
}

// readRestored starts the only member on its data, as the static pod of kubeadm would.
func readRestored(t *testing.T, s *store, data string) (early, late string, members []string) {
	ports, err := process.FreePorts(2)
	if err != nil {
		t.Fatal(err)
	}
	client, peer := fmt.Sprintf("http://127.0.0.1:%d", ports[0]), fmt.Sprintf("http://127.0.0.1:%d", ports[1])
	etcd, err := process.Start("restored", t.TempDir(), filepath.Join(s.bin, "server"), "--name=master01", "--data-dir="+data,
		"--listen-client-urls="+client, "--advertise-client-urls="+client, "--listen-peer-urls="+peer,
		"--initial-advertise-peer-urls=https://192.168.10.21:2380", "--initial-cluster=master01=https://192.168.10.21:2380")
	if err != nil {
		t.Fatal(err)
	}
	defer etcd.Stop()
	ctl := func(arguments ...string) (string, error) {
		output, err := exec.CommandContext(t.Context(), filepath.Join(s.bin, "etcdctl"), append([]string{"--endpoints=" + client}, arguments...)...).Output()
		return strings.TrimSpace(string(output)), err
	}
	if err := etcd.WaitReady(t.Context(), func(context.Context) error {
		_, err := ctl("endpoint", "health")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	early, _ = ctl("get", "--print-value-only", "/early")
	late, _ = ctl("get", "--print-value-only", "/late")
	list, err := ctl("member", "list", "--write-out=json")
	if err != nil {
		t.Fatal(err)
	}
	var found struct{ Members []struct{ Name string } }
	if err := json.Unmarshal([]byte(list), &found); err != nil {
		t.Fatal(err)
	}
	for _, member := range found.Members {
		members = append(members, member.Name)
	}
	return early, late, members
}
