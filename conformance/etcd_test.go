package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"conformance/internal/controlplane"
	"conformance/internal/golden"
	"conformance/internal/live"
	"conformance/internal/process"
)

// dataStoreExample has the release of a data store, and a Job that is applied beside it.
const dataStoreExample = "example-management-cluster"

// TestAuthenticationOfDataStore runs the Job that closes a data store, with its command, variables and tools, on an etcd of the version that the chart installs:
// all tenants of the store have certificates of one authority, and authentication is all that keeps them apart.
func TestAuthenticationOfDataStore(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	store := startStore(t)
	command, env, image := authenticationJob(t)
	if output, err := store.run(t, "root", nil, store.jobs, "etcdctl", "version"); err != nil || !strings.Contains(output, "etcdctl version: "+tagOf(image)) {
		t.Fatalf("the Job has %s, and etcd/jobs.mod: %s%v", image, output, err)
	}

	if output, err := store.run(t, "tenant", nil, store.bin, "etcdctl", "put", "/of/another", "secret"); err != nil {
		t.Fatalf("everything is open at first: %v\n%s", err, output)
	}
	for _, attempt := range []string{"the first time", "once more"} {
		if output, err := store.run(t, "root", env, store.jobs, command...); err != nil {
			t.Fatalf("the Job fails %s: %v\n%s", attempt, err, output)
		}
	}
	if output, err := store.run(t, "tenant", nil, store.bin, "etcdctl", "get", "/of/another"); err == nil || !strings.Contains(output, "permission denied") {
		t.Errorf("a tenant reads what another one has: %s", output)
	}
	// What a backup does.
	snapshot := filepath.Join(store.dir, "snapshot.db")
	for _, command := range [][]string{{"etcdctl", "snapshot", "save", snapshot}, {"etcdutl", "snapshot", "status", snapshot}} {
		if output, err := store.run(t, "root", nil, store.bin, command...); err != nil {
			t.Errorf("%s: %v\n%s", strings.Join(command, " "), err, output)
		}
	}
}

// tagOf returns 3.5.6 of quay.io/coreos/etcd:v3.5.6.
func tagOf(image string) string { return image[strings.LastIndex(image, ":v")+2:] }

// installedVersion returns the version of etcd that the release of a data store installs.
func installedVersion(t *testing.T) string {
	for _, document := range golden.Read(t, "management", dataStoreExample) {
		if live.String(document.Object.Object, "spec", "chart", "spec", "chart") == "kamaji-etcd" {
			return strings.TrimPrefix(live.String(document.Object.Object, "spec", "values", "image", "tag"), "v")
		}
	}
	t.Fatalf("%s has no release of a data store", dataStoreExample)
	return ""
}

// authenticationJob returns the command, the variables and the image of the Job's container.
func authenticationJob(t *testing.T) (command []string, env map[string]string, image string) {
	for _, document := range golden.Read(t, "tenants", dataStoreExample) {
		object := document.Object
		if object.GetKind() != "Job" || !strings.Contains(object.GetName(), "authentication") {
			continue
		}
		container := live.Maps(object.Object, "spec", "template", "spec", "containers")[0]
		for _, argument := range container["command"].([]any) {
			command = append(command, argument.(string))
		}
		env = map[string]string{}
		for _, variable := range live.Maps(container, "env") {
			env[live.String(variable, "name")] = live.String(variable, "value")
		}
		return command, env, live.String(container, "image")
	}
	t.Fatalf("%s has no Job for the authentication", dataStoreExample)
	return nil, nil, ""
}

// store is an etcd that asks for certificates of its authority.
type store struct {
	dir, endpoint string
	// bin has etcd and its tools, jobs those of the image of Jobs.
	bin, jobs string
}

func startStore(t *testing.T) *store {
	dir := t.TempDir()
	s := &store{dir: dir, bin: filepath.Join(dir, "bin"), jobs: filepath.Join(dir, "jobs")}
	for module, bin := range map[string]string{"go.mod": s.bin, "jobs.mod": s.jobs} {
		if output, err := exec.CommandContext(t.Context(), "go", "build", "-C", "etcd", "-modfile="+module, "-o", bin+"/", "tool").CombinedOutput(); err != nil {
			t.Fatalf("build what etcd/%s names: %v\n%s", module, err, output)
		}
	}
	if output, err := exec.CommandContext(t.Context(), filepath.Join(s.bin, "server"), "--version").CombinedOutput(); !strings.Contains(string(output), "etcd Version: "+installedVersion(t)+"\n") {
		t.Fatalf("the release installs etcd %s, and etcd/go.mod: %s%v", installedVersion(t), output, err)
	}
	pki, err := controlplane.NewPKI(dir)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "ca.crt"), pki.CA)
	for _, user := range []string{"root", "tenant"} {
		issue(t, pki, filepath.Join(dir, user), user)
	}
	ports, err := process.FreePorts(2)
	if err != nil {
		t.Fatal(err)
	}
	s.endpoint = fmt.Sprintf("https://127.0.0.1:%d", ports[0])
	peer := fmt.Sprintf("http://127.0.0.1:%d", ports[1])
	etcd, err := process.Start("etcd", dir, filepath.Join(s.bin, "server"),
		"--data-dir="+filepath.Join(dir, "data"), "--listen-client-urls="+s.endpoint, "--advertise-client-urls="+s.endpoint,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer,
		"--client-cert-auth", "--trusted-ca-file="+filepath.Join(dir, "ca.crt"), "--cert-file="+pki.CertFile(), "--key-file="+pki.KeyFile())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(etcd.Stop)
	if err := etcd.WaitReady(t.Context(), func(context.Context) error {
		_, err := s.run(t, "root", nil, s.bin, "etcdctl", "endpoint", "health")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return s
}

// run runs a command with the tools of a directory as a user, with the variables of a container whose files and endpoint are those of the store.
func (s *store) run(t *testing.T, user string, env map[string]string, tools string, command ...string) (string, error) {
	program := command[0]
	if program != "sh" {
		program = filepath.Join(tools, program)
	}
	c := exec.CommandContext(t.Context(), program, command[1:]...)
	c.Env = []string{"PATH=" + tools + ":" + os.Getenv("PATH")}
	own := map[string]string{
		"ETCDCTL_ENDPOINTS": s.endpoint, "ETCDCTL_CACERT": filepath.Join(s.dir, "ca.crt"),
		"ETCDCTL_CERT": filepath.Join(s.dir, user, "tls.crt"), "ETCDCTL_KEY": filepath.Join(s.dir, user, "tls.key"),
	}
	for name := range own {
		if _, found := env[name]; env != nil && !found {
			return "", fmt.Errorf("the container has no variable %s", name)
		}
	}
	for name, value := range env {
		c.Env = append(c.Env, name+"="+value)
	}
	for name, value := range own {
		c.Env = append(c.Env, name+"="+value)
	}
	output, err := c.CombinedOutput()
	return string(output), err
}

// issue writes a client certificate for a user of etcd, who is its common name.
func issue(t *testing.T, pki *controlplane.PKI, dir, user string) {
	pair, err := tls.X509KeyPair(pki.CA, pki.CAKey)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(3), Subject: pkix.Name{CommonName: user}, NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, pair.Leaf, key.Public(), pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "tls.crt"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	writeFile(t, filepath.Join(dir, "tls.key"), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: encoded}))
}

func writeFile(t *testing.T, path string, content []byte) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
