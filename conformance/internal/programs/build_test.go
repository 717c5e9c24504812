package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const commit = "0123456789012345678901234567890123456789"

// newTable makes a directory like that of the module conformance, with the sources of two programs.
func newTable(t *testing.T) (dir string) {
	dir = t.TempDir()
	sources := `[
		{"name": "hello", "version": "v1.2.3", "commit": "` + commit + `", "added": {"from": "added.txt", "to": "added.go"},
		 "directory": "module", "package": "./cmd", "flags": ["-mod=mod", "-tags=some"], "edits": ["-go=1.25"]},
		{"name": "other", "version": "v1.0.0", "commit": "` + commit + `", "needs": ["hello"], "package": ".", "flags": ["-mod=mod"]}
	]`
	write(t, dir, map[string]string{
		"sources.json":                     sources,
		"added.txt":                        "package main",
		"argocd/go.mod":                    "module argocd\n\nrequire (\n\tgithub.com/argoproj/argo-cd/v3 v3.5.7\n)\n",
		"argocd/go.sum":                    "",
		"argocd/main.go":                   "package main\n",
		"servers/go.mod":                   modules("servers"),
		"servers/go.sum":                   "",
		"nodes/main.go":                    "package main\n",
		"alerts/go.mod":                    "require (\n\tgithub.com/prometheus/prometheus v0.313.5\n)\n",
		"alerts/go.sum":                    "",
		"renderers/go.mod":                 modules("renderers"),
		"renderers/go.sum":                 "",
		"sidecars/go.mod":                  modules("sidecars"),
		"sidecars/go.sum":                  "",
		"upstream/hello/.commit":           commit,
		"upstream/hello/module/go.mod":     "module hello\n",
		"upstream/hello/module/go.sum":     "",
		"upstream/hello/module/cmd/all.go": "package main\n",
		"upstream/hello/module/cmd/tag.go": "//go:build some\n\npackage main\n\nfunc main() { println(\"hello\") }\n",
	})
	return dir
}

// modules returns a go.mod file with the modules of the tools in a directory.
func modules(directory string) string {
	text := "module " + directory + "\n\nrequire (\n"
	for _, tool := range slices.Concat(tools, renderers) {
		if tool.directory == directory {
			text += "\t" + tool.module + " v1.37.2\n"
		}
	}
	return text + ")\n"
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, dir string) *Table {
	t.Helper()
	table, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestAnExecutableIsBuiltOnce(t *testing.T) {
	dir, options := newTable(t), Options{Cache: t.TempDir(), Temporary: t.TempDir()}
	built, missing, err := read(t, dir).Build(t.Context(), options, "hello")
	if err != nil || len(missing) > 0 || len(built) != 1 {
		t.Fatalf("built %v, missing %v, error %v", built, missing, err)
	}
	if out, err := exec.Command(built[0].Path).CombinedOutput(); err != nil || string(out) != "hello\n" {
		t.Errorf("the executable prints %q (%v)", out, err)
	}
	if built[0].Name != "hello" || built[0].Version != "v1.2.3" {
		t.Errorf("built %v", built[0])
	}
	if text, err := os.ReadFile(filepath.Join(dir, "upstream/hello/module/go.mod")); err != nil || string(text) != "module hello\n" {
		t.Errorf("go.mod of the sources was changed to %q (%v)", text, err)
	}

	// Neither a toolchain nor sources are needed again.
	t.Setenv("PATH", "")
	if err := os.RemoveAll(filepath.Join(dir, "upstream")); err != nil {
		t.Fatal(err)
	}
	options.Log = func(format string, args ...any) { t.Errorf(format, args...) }
	again, missing, err := read(t, dir).Build(t.Context(), options, "hello")
	if err != nil || len(missing) > 0 || len(again) != 1 || again[0] != built[0] {
		t.Errorf("the second time: built %v, missing %v, error %v", again, missing, err)
	}
}

func TestWhatCannotBeBuiltIsMissingAndTheRestIsBuilt(t *testing.T) {
	for _, test := range []struct {
		name, file, text, want string
	}{
		{"sources are not unpacked", "upstream/unrelated", "", "the sources of other at commit " + commit + " are not in "},
		{"sources are of another commit", "upstream/other/.commit", "0000", "the sources of other at commit " + commit + " are not in "},
		{"sources have no module", "upstream/other/.commit", commit, "copy the module: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := newTable(t)
			write(t, dir, map[string]string{test.file: test.text})
			built, missing, err := read(t, dir).Build(t.Context(), Options{Cache: t.TempDir()}, "other", "hello")
			if err != nil || len(built) != 1 || len(missing) != 1 || missing[0].Name != "other" || !strings.Contains(missing[0].Why, test.want) {
				t.Errorf("built %v, missing %v, error %v", built, missing, err)
			}
		})
	}
}

func TestTheReasonOfTheToolchainIsGiven(t *testing.T) {
	dir, cache := newTable(t), t.TempDir()
	write(t, dir, map[string]string{
		"upstream/other/.commit": commit,
		"upstream/other/go.mod":  "module other\n",
		"upstream/other/go.sum":  "",
		"upstream/other/main.go": "package main\n\nfunc main() { undefined() }\n",
	})
	_, missing, err := read(t, dir).Build(t.Context(), Options{Cache: cache}, "other")
	if err != nil || len(missing) != 1 || !strings.Contains(missing[0].Why, "undefined: undefined") {
		t.Errorf("missing %v, error %v", missing, err)
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "*", "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWhatIsNotInTheTableIsAnError(t *testing.T) {
	_, _, err := read(t, newTable(t)).Build(t.Context(), Options{Cache: t.TempDir()}, "hello", "cilium")
	if err == nil || !strings.Contains(err.Error(), `no program "cilium" can be built; known are hello, other, etcd`) {
		t.Errorf("error %v", err)
	}
}

func TestWhatIsNotBuiltIsNamed(t *testing.T) {
	dir, options := newTable(t), Options{Cache: t.TempDir()}
	table := read(t, dir)
	if _, _, err := table.Build(t.Context(), options, "hello"); err != nil {
		t.Fatal(err)
	}
	unbuilt, err := table.Unbuilt(options, table.Names()...)
	if err != nil || slices.Contains(unbuilt, "hello") || !slices.Contains(unbuilt, "other") {
		t.Errorf("not built are %v (%v), of hello, which was built, and other", unbuilt, err)
	}
}
