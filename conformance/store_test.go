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
	"conformance/internal/process"
)

// member is one of the members of a store.
type member struct {
	name, endpoint, peer string
	process              *process.Process
}

// store is an etcd that asks for certificates of its authority.
type store struct {
	dir string
	// bin has etcd and its tools, jobs those of the image of Jobs.
	bin, jobs string
	members   []*member
	pki       *controlplane.PKI
	// test is the test that the members end with.
	test *testing.T
}

// startStore starts an etcd of the version that the chart installs, with the arguments of the chart.
func startStore(t *testing.T, names ...string) *store {
	dir := t.TempDir()
	s := &store{test: t, dir: dir, bin: filepath.Join(dir, "bin"), jobs: filepath.Join(dir, "jobs")}
	for module, bin := range map[string]string{"go.mod": s.bin, "jobs.mod": s.jobs} {
		if output, err := exec.CommandContext(t.Context(), "go", "build", "-C", "etcd", "-modfile="+module, "-o", bin+"/", "tool").CombinedOutput(); err != nil {
			t.Fatalf("build what etcd/%s names: %v\n%s", module, err, output)
		}
	}
	if output, err := exec.CommandContext(t.Context(), filepath.Join(s.bin, "server"), "--version").CombinedOutput(); !strings.Contains(string(output), "etcd Version: "+installedVersion(t)+"\n") {
		t.Fatalf("the release installs etcd %s, and etcd/go.mod: %s%v", installedVersion(t), output, err)
	}
	var err error
	if s.pki, err = controlplane.NewPKI(dir); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "ca.crt"), s.pki.CA)
	for _, user := range []string{"root", "tenant"} {
		issue(t, s.pki, filepath.Join(dir, user), user)
	}
	ports, err := process.FreePorts(2 * len(names))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		s.members = append(s.members, &member{
			name: name, endpoint: fmt.Sprintf("https://127.0.0.1:%d", ports[2*i]), peer: fmt.Sprintf("http://127.0.0.1:%d", ports[2*i+1]),
		})
	}
	for _, m := range s.members {
		s.start(t, m)
	}
	for _, m := range s.members {
		s.await(t, m)
	}
	return s
}

func (s *store) dataDir(m *member) string { return filepath.Join(s.dir, "data", m.name) }

// initialCluster names all members, as the chart does for each of them.
func (s *store) initialCluster() string {
	var all []string
	for _, m := range s.members {
		all = append(all, m.name+"="+m.peer)
	}
	return strings.Join(all, ",")
}

// start starts a member. Of a flag that is given twice, the last value counts.
func (s *store) start(t *testing.T, m *member, further ...string) {
	arguments := append([]string{
		"--name=" + m.name, "--data-dir=" + s.dataDir(m), "--listen-client-urls=" + m.endpoint, "--advertise-client-urls=" + m.endpoint,
		"--listen-peer-urls=" + m.peer, "--initial-advertise-peer-urls=" + m.peer, "--initial-cluster=" + s.initialCluster(),
		"--initial-cluster-state=new", "--initial-cluster-token=kamaji", "--quota-backend-bytes=16777216",
		"--auto-compaction-mode=periodic", "--auto-compaction-retention=1s",
		"--client-cert-auth", "--trusted-ca-file=" + filepath.Join(s.dir, "ca.crt"), "--cert-file=" + s.pki.CertFile(), "--key-file=" + s.pki.KeyFile(),
	}, further...)
	started, err := process.Start("etcd-"+m.name, s.dir, filepath.Join(s.bin, "server"), arguments...)
	if err != nil {
		t.Fatal(err)
	}
	m.process = started
	s.test.Cleanup(started.Stop)
}

// await waits until a member answers.
func (s *store) await(t *testing.T, m *member) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := m.process.WaitReady(ctx, func(context.Context) error {
		output, err := s.runAt(t, m, "root", nil, s.bin, "etcdctl", "get", "health")
		if err != nil {
			return fmt.Errorf("%w: %s", err, output)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// run runs a command as runAt does, at the endpoint of the store.
func (s *store) run(t *testing.T, user string, env map[string]string, tools string, command ...string) (string, error) {
	return s.runAt(t, s.members[0], user, env, tools, command...)
}

// runAt runs a command with the tools of a directory as a user, with the variables of a container whose files are those of
// the store, and whose endpoint is that of a member.
func (s *store) runAt(t *testing.T, m *member, user string, env map[string]string, tools string, command ...string) (string, error) {
	program := command[0]
	if program != "sh" {
		program = filepath.Join(tools, program)
	}
	c := exec.CommandContext(t.Context(), program, command[1:]...)
	c.Env = []string{"PATH=" + tools + ":" + os.Getenv("PATH")}
	own := s.variables(m, user)
	for name := range own {
		if _, found := env[name]; env != nil && !found {
			return "", fmt.Errorf("the container has no variable %s", name)
		}
	}
	if _, found := env["MEMBERS"]; found {
		own["MEMBERS"] = strings.Join(s.endpoints(), " ")
	}
	for _, variables := range []map[string]string{env, own} {
		for name, value := range variables {
			c.Env = append(c.Env, name+"="+value)
		}
	}
	output, err := c.CombinedOutput()
	return string(output), err
}

// variables returns the settings of etcdctl for a user at a member.
func (s *store) variables(m *member, user string) map[string]string {
	return map[string]string{
		"ETCDCTL_ENDPOINTS": m.endpoint, "ETCDCTL_CACERT": filepath.Join(s.dir, "ca.crt"),
		"ETCDCTL_CERT": filepath.Join(s.dir, user, "tls.crt"), "ETCDCTL_KEY": filepath.Join(s.dir, user, "tls.key"),
	}
}

func (s *store) endpoints() []string {
	var all []string
	for _, m := range s.members {
		all = append(all, m.endpoint)
	}
	return all
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
