package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"conformance/internal/live"
)

// TestGuidesOfDataStore runs the commands of the guides, and the Job that defragments, on three members of etcd with authentication. It stands in for the
// StatefulSet, and for kubectl where that does not run etcdctl.
func TestGuidesOfDataStore(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	s := startStore(t, "etcd-default-0", "etcd-default-1", "etcd-default-2")
	command, env, _ := jobContainer(t, "Job", "authentication")
	if output, err := s.run(t, "root", env, s.jobs, command...); err != nil {
		t.Fatalf("authentication: %v\n%s", err, output)
	}
	// Objects that Kamaji makes for a tenant.
	for _, command := range []string{"user add tenant --no-password", "role add acme", "role grant-permission acme --prefix=true readwrite /acme/", "user grant-role tenant acme"} {
		s.etcdctl(t, s.members[0], "root", strings.Fields(command)...)
	}
	s.etcdctl(t, s.members[0], "tenant", "put", "/acme/key", "value")
	t.Run("defragmentation", s.testDefragmentation)
	t.Run("full", s.testFull)
	t.Run("member", s.testMember)
	t.Run("restore", s.testRestore)
}

func (s *store) etcdctl(t *testing.T, m *member, user string, arguments ...string) string {
	t.Helper()
	output, err := s.runAt(t, m, user, nil, s.jobs, append([]string{"etcdctl"}, arguments...)...)
	if err != nil {
		t.Fatalf("etcdctl %s: %v\n%s", strings.Join(arguments, " "), err, output)
	}
	return output
}

// status returns the size of the database of a member, and what of it is in use, and if it leads.
func (s *store) status(t *testing.T, m *member) (size, used int64, leads bool) {
	t.Helper()
	var all []struct{ Status map[string]any }
	if err := json.Unmarshal([]byte(s.etcdctl(t, m, "root", "endpoint", "status", "-w", "json")), &all); err != nil {
		t.Fatal(err)
	}
	status := all[0].Status
	return live.Int(status, "dbSize"), live.Int(status, "dbSizeInUse"), status["leader"] == live.Maps(map[string]any{"all": []any{status["header"]}}, "all")[0]["member_id"]
}

// defragment runs the container of the CronJob, and returns the members that were defragmented, in their order.
func (s *store) defragment(t *testing.T) (order []string, output string, err error) {
	command, env, _ := jobContainer(t, "CronJob", "defragmentation")
	// A member that is down does not come back.
	command = []string{"sh", "-c", "sleep() { :; }\n" + strings.ReplaceAll(command[2], "-lt 12 ", "-lt 1 ")}
	output, err = s.run(t, "root", env, s.jobs, command...)
	for _, found := range regexp.MustCompile(`Finished defragmenting etcd member\[([^\]]+)\]`).FindAllStringSubmatch(output, -1) {
		order = append(order, found[1])
	}
	return order, output, err
}

func (s *store) testDefragmentation(t *testing.T) {
	for range 6 {
		s.put(t, "/acme/large", 1<<20)
	}
	s.compacted(t)
	order, output, err := s.defragment(t)
	if err != nil || len(order) != 3 {
		t.Fatalf("%v: %v\n%s", order, err, output)
	}
	for _, m := range s.members {
		size, _, leads := s.status(t, m)
		if size > 3<<20 {
			t.Errorf("the database of %s has %d bytes", m.name, size)
		}
		if leads != (order[2] == m.endpoint) {
			t.Errorf("the leader is not the last of %v", order)
		}
	}
	lost := s.members[2]
	lost.process.Stop()
	if order, output, err := s.defragment(t); err == nil || len(order) > 0 || !strings.Contains(output, lost.endpoint+" does not answer") {
		t.Errorf("with a lost member %v were defragmented: %v\n%s", order, err, output)
	}
	s.start(t, lost)
	s.await(t, lost)
}

// put writes a value of a size.
func (s *store) put(t *testing.T, key string, size int) error {
	c := exec.CommandContext(t.Context(), filepath.Join(s.jobs, "etcdctl"), "put", key)
	c.Stdin = strings.NewReader(strings.Repeat("x", size))
	for name, value := range s.variables(s.members[0], "tenant") {
		c.Env = append(c.Env, name+"="+value)
	}
	output, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, output)
	}
	return nil
}

// compacted waits until etcd has compacted its history.
func (s *store) compacted(t *testing.T) {
	t.Helper()
	for range 100 {
		if _, used, _ := s.status(t, s.members[0]); used < 3<<20 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("etcd does not compact its history")
}

func (s *store) testFull(t *testing.T) {
	var err error
	for i := 0; i < 40 && err == nil; i++ {
		err = s.put(t, fmt.Sprintf("/acme/event-%d", i), 1<<20)
	}
	if err == nil || !strings.Contains(err.Error(), "mvcc: database space exceeded") {
		t.Fatalf("the quota is not reached: %v", err)
	}
	if output := s.etcdctl(t, s.members[0], "root", "alarm", "list"); !strings.Contains(output, "alarm:NOSPACE") {
		t.Errorf("no alarm: %s", output)
	}
	s.etcdctl(t, s.members[0], "tenant", "del", "/acme/event-", "--prefix")
	s.compacted(t)
	if order, output, err := s.defragment(t); err != nil || len(order) != 3 {
		t.Fatalf("defragmentation of a full store: %v: %v\n%s", order, err, output)
	}
	if err := s.put(t, "/acme/key", 8); err == nil {
		t.Error("the alarm went away by itself")
	}
	for _, block := range guideBlocks(t, "troubleshooting/data-store-full.md") {
		if strings.Contains(block, "alarm disarm") {
			s.runBlock(t, block, true)
		}
	}
	if err := s.put(t, "/acme/key", 8); err != nil {
		t.Error(err)
	}
}

func (s *store) testMember(t *testing.T) {
	lost := s.members[1]
	lost.process.Stop()
	s.wipe(t, lost)
	// The pod that the StatefulSet makes by itself.
	s.start(t, lost)
	<-lost.process.Done()
	if err := lost.process.Err(); err == nil || !strings.Contains(err.Error(), "has already been bootstrapped") {
		t.Errorf("a member with an empty volume: %v", err)
	}

	blocks := guideBlocks(t, "guides/replace-a-data-store-member.md")
	if len(blocks) != 5 {
		t.Fatalf("the guide has %d blocks of commands", len(blocks))
	}
	// etcd adds members while all others have been connected for five seconds (server/etcdserver/server.go, HealthInterval).
	time.Sleep(6 * time.Second)
	var calls []string
	for _, block := range blocks[:3] {
		calls = append(calls, s.runBlock(t, block, true)...)
	}
	for _, needed := range []string{"delete pvc data-etcd-default-1", "delete pod etcd-default-1"} {
		if !slices.ContainsFunc(calls, func(call string) bool { return strings.Contains(call, needed) }) {
			t.Errorf("the guide does not %s", needed)
		}
	}
	s.wipe(t, lost)
	s.start(t, lost, addedArguments(t, calls)...)
	s.await(t, lost)
	if output := s.runBlock(t, blocks[3], true); !strings.Contains(strings.Join(output, "\n"), "auth status") {
		t.Error("the guide does not look at the authentication")
	}

	// The last step restarts it with the arguments of the chart.
	lost.process.Stop()
	s.start(t, lost)
	s.await(t, lost)
	s.runBlock(t, blocks[4], true)
	if output := s.etcdctl(t, lost, "tenant", "get", "/acme/key"); !strings.HasPrefix(output, "/acme/key\n") {
		t.Errorf("the new member does not have the data: %s", output)
	}
	if output, err := s.runAt(t, lost, "tenant", nil, s.jobs, "etcdctl", "get", "/other"); err == nil || !strings.Contains(output, "permission denied") {
		t.Errorf("the new member lets a tenant read what another one has: %s", output)
	}
}

func (s *store) wipe(t *testing.T, m *member) {
	if err := os.RemoveAll(s.dataDir(m)); err != nil {
		t.Fatal(err)
	}
}

// testRestore restores a snapshot with the containers of the pod of the guide, one member having a new volume.
func (s *store) testRestore(t *testing.T) {
	s.etcdctl(t, s.members[0], "tenant", "put", "/acme/key", "early")
	volume := filepath.Join(t.TempDir(), "snapshot")
	snapshot := filepath.Join(volume, "snapshot.db")
	writeFile(t, filepath.Join(volume, "part"), nil)
	if output, err := s.run(t, "root", nil, s.bin, "etcdctl", "snapshot", "save", snapshot); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	s.etcdctl(t, s.members[0], "tenant", "put", "/acme/key", "late")
	for _, m := range s.members {
		m.process.Stop()
	}
	s.wipe(t, s.members[0])
	text, err := os.ReadFile("../docs/restore-data-store.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?ms)^   ```yaml\n(.*?)^   ```").FindSubmatch(text)
	for number, m := range s.members {
		var pod map[string]any
		if err := yaml.Unmarshal([]byte(strings.ReplaceAll(string(found[1]), "NUMBER", fmt.Sprint(number))), &pod); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(s.dataDir(m), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, container := range append(live.Maps(pod, "spec", "initContainers"), live.Maps(pod, "spec", "containers")...) {
			s.runContainer(t, m, container, volume)
		}
		s.start(t, m)
	}
	for _, m := range s.members {
		s.await(t, m)
		if output := s.etcdctl(t, m, "tenant", "get", "/acme/key"); output != "/acme/key\nearly\n" {
			t.Errorf("%s has %q", m.name, output)
		}
	}
	if output := s.etcdctl(t, s.members[0], "root", "auth", "status"); !strings.HasPrefix(output, "Authentication Status: true\n") {
		t.Error(output)
	}
}

// runContainer runs a container of the guide with the volumes and URLs of a member.
func (s *store) runContainer(t *testing.T, m *member, container map[string]any, snapshots string) {
	t.Helper()
	pairs := []string{"/data/", s.dataDir(m) + "/", "/snapshot/", snapshots + "/"}
	var variables []string
	for _, variable := range live.Maps(container, "env") {
		variables = append(variables, "$("+live.String(variable, "name")+")", live.String(variable, "value"))
	}
	for _, other := range s.members {
		pairs = append(pairs, "https://"+other.name+".etcd-default.kamaji-etcd.svc.cluster.local:2380", other.peer)
	}
	var command []string
	for _, field := range []string{"command", "args"} {
		words, _ := container[field].([]any)
		for _, word := range words {
			command = append(command, strings.NewReplacer(pairs...).Replace(strings.NewReplacer(variables...).Replace(word.(string))))
		}
	}
	if output, err := s.run(t, "root", nil, s.bin, command...); err != nil {
		t.Fatalf("%s of %s: %v\n%s", live.String(container, "name"), m.name, err, output)
	}
}

// addedArguments returns what a patch of the StatefulSet adds to the command of its first container.
func addedArguments(t *testing.T, calls []string) (added []string) {
	for _, call := range calls {
		_, patch, found := strings.Cut(call, " patch statefulset etcd-default --type json -p ")
		if !found {
			continue
		}
		var operations []struct {
			Op, Path string
			Value    any
		}
		if err := json.Unmarshal([]byte(patch), &operations); err != nil {
			t.Fatalf("%s: %v", patch, err)
		}
		for _, operation := range operations {
			if operation.Op == "add" && operation.Path == "/spec/template/spec/containers/0/command/-" {
				added = append(added, operation.Value.(string))
			}
		}
	}
	return added
}

// guideBlocks returns the blocks of commands of a page.
func guideBlocks(t *testing.T, page string) (blocks []string) {
	text, err := os.ReadFile(filepath.Join("..", "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile("(?ms)^( *)```sh\n(.*?)^ *```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, regexp.MustCompile("(?m)^"+found[1]).ReplaceAllString(found[2], ""))
	}
	return blocks
}

// kubectl runs commands in the pod with etcdctl, and writes down all others of the guides.
const kubectl = `#!/bin/sh
echo "kubectl $*" >> "$CALLS"
case "$*" in
  '-n kamaji-etcd exec etcd-default-tools -- '*) shift 5; exec "$@" ;;
  '-n kamaji-etcd get '* | '-n kamaji-etcd wait '* | '-n kamaji-etcd patch statefulset etcd-default '* | '-n kamaji-etcd rollout '*' statefulset etcd-default') ;;
  '-n kamaji-etcd delete pvc data-etcd-default-1 --wait=false' | '-n kamaji-etcd delete pod etcd-default-1') ;;
  *) echo "kubectl $* is not known" >&2; exit 9 ;;
esac
`

// runBlock runs a block of a guide with the URLs of the store, and returns the calls of kubectl and flux.
func (s *store) runBlock(t *testing.T, block string, succeeds bool) []string {
	t.Helper()
	dir := t.TempDir()
	calls := filepath.Join(dir, "calls")
	for name, text := range map[string]string{"kubectl": kubectl, "flux": "#!/bin/sh\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range s.members {
		block = strings.ReplaceAll(block, "https://"+m.name+".etcd-default.kamaji-etcd.svc.cluster.local:2380", m.peer)
	}
	c := exec.CommandContext(t.Context(), "sh", "-ec", block)
	c.Env = []string{"CALLS=" + calls, "PATH=" + dir + ":" + s.jobs + ":" + os.Getenv("PATH")}
	for name, value := range s.variables(s.members[0], "root") {
		c.Env = append(c.Env, name+"="+value)
	}
	output, err := c.CombinedOutput()
	if succeeds != (err == nil) {
		t.Fatalf("%v\n%s\n%s", err, block, output)
	}
	text, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}
