package gitops

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestCommitServesTheFolderAndNothingElse(t *testing.T) {
	repository := newRepository(t)
	folder := t.TempDir()
	write(t, folder, "flux/acme.yaml", "first")
	write(t, folder, "clusters/acme/cluster.yaml", "first")
	first := commit(t, repository, folder)
	if err := os.RemoveAll(filepath.Join(folder, "clusters")); err != nil {
		t.Fatal(err)
	}
	write(t, folder, "flux/acme.yaml", "second")
	second := commit(t, repository, folder)
	if first == second || !strings.HasPrefix(second, "main@sha1:") {
		t.Errorf("revisions %q and %q", first, second)
	}

	clone := filepath.Join(t.TempDir(), "clone")
	git(t, "clone", "--quiet", repository.URL(), clone)
	if got, want := git(t, "-C", clone, "rev-parse", "HEAD"), strings.TrimPrefix(second, "main@sha1:"); got != want {
		t.Errorf("got commit %s, want %s", got, want)
	}
	got := git(t, "-C", clone, "ls-files")
	want := "tenants/flux/acme.yaml\ntenants/flux/flux-system/gotk-sync.yaml\ntenants/flux/flux-system/kustomization.yaml"
	if got != want {
		t.Errorf("got files\n%s\nwant\n%s", got, want)
	}
}

func TestNobodyCanPush(t *testing.T) {
	repository := newRepository(t)
	commit(t, repository, t.TempDir())
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, "clone", "--quiet", repository.URL(), clone)
	command := exec.CommandContext(t.Context(), "git", "-C", clone, "push", "--quiet", "origin", "HEAD:other")
	if out, err := command.CombinedOutput(); err == nil || !strings.Contains(string(out), "403") {
		t.Errorf("got %v: %s; want a refusal", err, out)
	}
}

func TestTheUsersConfigurationDoesNotCount(t *testing.T) {
	home := t.TempDir()
	write(t, home, ".gitconfig", "[core]\n\texcludesFile = "+filepath.Join(home, "ignored")+"\n[commit]\n\tgpgSign = true\n")
	write(t, home, "ignored", "*.yaml\n")
	t.Setenv("HOME", home)
	t.Setenv("GIT_DIR", home)
	repository := newRepository(t)
	folder := t.TempDir()
	write(t, folder, "flux/acme.yaml", "")
	commit(t, repository, folder)
	files, err := repository.git(t.Context(), "ls-tree", "-r", "--name-only", "HEAD")
	if err != nil || !strings.Contains(files, "tenants/flux/acme.yaml") {
		t.Errorf("got files %q, %v", files, err)
	}
}

// newRepository serves an empty repository.
func newRepository(t *testing.T) *Repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs Git: ", err)
	}
	repository, err := NewRepository(t.Context(), t.TempDir(), freeAddress(t), "tenants")
	if err != nil {
		t.Fatal(err)
	}
	server, err := repository.Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return repository
}

func commit(t *testing.T, repository *Repository, folder string) string {
	t.Helper()
	revision, err := repository.Commit(t.Context(), folder, "A test")
	if err != nil {
		t.Fatal(err)
	}
	return revision
}

// git runs Git as a client of the repository.
func git(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}
