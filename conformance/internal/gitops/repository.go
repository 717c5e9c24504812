package gitops

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cgi"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

const (
	// branch is the branch that Flux follows.
	branch = "main"
	// repositoryName is the name of the directory of the repository, and the path of its URL.
	repositoryName = "flux-system.git"
)

// Repository is a Git repository with one branch, as `flux bootstrap git` leaves it. It depends on no configuration of the machine.
type Repository struct {
	// directory has the repository, and the files of the next commit.
	directory string
	// address is where the repository is served.
	address string
	// path is the folder in the repository that receives the output of a GitOps app.
	path string
	// isPlain leaves out the files of the bootstrap.
	isPlain bool
}

// NewRepository creates a repository in dir. It is served on address, and path is its folder for the output of a GitOps app.
func NewRepository(ctx context.Context, dir, address, path string) (*Repository, error) {
	r := &Repository{directory: dir, address: address, path: path}
	// The empty template has no hooks.
	if _, err := r.git(ctx, "init", "--quiet", "--template=", "--initial-branch="+branch); err != nil {
		return nil, err
	}
	return r, nil
}

// NewPlainRepository is NewRepository for folders that have all files of a repository, those of the bootstrap too.
func NewPlainRepository(ctx context.Context, dir, address string) (*Repository, error) {
	r, err := NewRepository(ctx, dir, address, "")
	if err == nil {
		r.isPlain = true
	}
	return r, err
}

// URL is the address at which Flux finds the repository.
func (r *Repository) URL() string { return "http://" + r.address + "/" + repositoryName }

// Commit makes the repository hold the files of a folder, and no other files but those of the bootstrap.
// It returns the revision in the spelling of Flux.
func (r *Repository) Commit(ctx context.Context, folder, message string) (revision string, err error) {
	if err := r.stage(folder); err != nil {
		return "", fmt.Errorf("copy %s for a commit: %w", folder, err)
	}
	if _, err := r.git(ctx, "add", "--all", "."); err != nil {
		return "", err
	}
	if _, err := r.git(ctx, "commit", "--quiet", "--allow-empty", "--message="+message); err != nil {
		return "", err
	}
	hash, err := r.git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return "", err
	}
	return branch + "@sha1:" + hash, nil
}

// stage writes the files of the next commit.
func (r *Repository) stage(folder string) error {
	if err := os.RemoveAll(r.workTree()); err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(r.workTree(), r.path), os.DirFS(folder)); err != nil {
		return err
	}
	if r.isPlain {
		return nil
	}
	for name, content := range r.bootstrapFiles() {
		data, err := yaml.Marshal(content)
		if err != nil {
			return err
		}
		file := filepath.Join(r.workTree(), r.entryPoints(), namespace, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Serve answers those who read the repository. Nobody can write it.
func (r *Repository) Serve(ctx context.Context) (*Server, error) {
	programs, err := r.git(ctx, "--exec-path")
	if err != nil {
		return nil, err
	}
	return serve(&http.Server{Handler: &cgi.Handler{
		Path: filepath.Join(programs, "git-http-backend"),
		Dir:  r.directory,
		Env: append(r.environment(),
			"GIT_PROJECT_ROOT="+r.directory,
			"GIT_HTTP_EXPORT_ALL=1",
		),
	}}, r.address)
}

func (r *Repository) gitDirectory() string { return filepath.Join(r.directory, repositoryName) }

func (r *Repository) workTree() string { return filepath.Join(r.directory, "files") }

// git runs a command of Git on the repository and returns its output.
func (r *Repository) git(ctx context.Context, args ...string) (string, error) {
	if err := os.MkdirAll(r.workTree(), 0o700); err != nil {
		return "", fmt.Errorf("create the work tree of the repository: %w", err)
	}
	command := exec.CommandContext(ctx, "git", args...)
	command.Dir = r.workTree()
	command.Env = append(r.environment(), "GIT_DIR="+r.gitDirectory(), "GIT_WORK_TREE="+r.workTree())
	out, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// environment is the whole environment of Git: neither configuration nor variables of the user reach it.
func (r *Repository) environment() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + r.directory,
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=conformance", "GIT_AUTHOR_EMAIL=conformance@example.com",
		"GIT_COMMITTER_NAME=conformance", "GIT_COMMITTER_EMAIL=conformance@example.com",
	}
}
