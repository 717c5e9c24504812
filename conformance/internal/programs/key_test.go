package programs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// keyOf returns the key of a program in the table of dir.
func keyOf(t *testing.T, dir, name string) string {
	t.Helper()
	table := read(t, dir)
	recipe, err := table.find(name)
	if err != nil {
		t.Fatal(err)
	}
	key, err := table.key(recipe)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestAKeyStandsForAllThatABuildDependsOn(t *testing.T) {
	for _, test := range []struct{ name, program, file, old, new string }{
		{"another version", "hello", "sources.json", "v1.2.3", "v1.2.4"},
		{"another commit", "hello", "sources.json", commit + `", "added"`, `00", "added"`},
		{"another commit of what is needed", "other", "sources.json", commit + `", "added"`, `00", "added"`},
		{"another tag", "hello", "sources.json", "-tags=some", "-tags=other"},
		{"another change of go.mod", "hello", "sources.json", "-go=1.25", "-go=1.24"},
		{"another package", "hello", "sources.json", "./cmd", "./main"},
		{"another added file", "hello", "added.txt", "package main", "package main // changed"},
		{"another added file of what is needed", "other", "added.txt", "package main", "package main // changed"},
		{"another version of Kubernetes", "kubelet", "servers/go.mod", "k8s.io/kubernetes v1.37.2", "k8s.io/kubernetes v1.37.3"},
		{"another version of Argo CD", "argocd", "argocd/go.mod", "v3.5.7", "v3.5.8"},
		{"another main package", "argocd", "argocd/main.go", "package main", "package main // changed"},
		{"another dependency", "kubelet", "servers/go.mod", "module servers", "module servers\n\nrequire k8s.io/utils v0.1.0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := newTable(t)
			before := keyOf(t, dir, test.program)
			if again := keyOf(t, dir, test.program); again != before {
				t.Errorf("without a change: %s becomes %s", before, again)
			}
			text, err := os.ReadFile(filepath.Join(dir, test.file))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), test.old) {
				t.Fatalf("%s has no %q", test.file, test.old)
			}
			write(t, dir, map[string]string{test.file: strings.Replace(string(text), test.old, test.new, 1)})
			if keyOf(t, dir, test.program) == before {
				t.Error("the key stays")
			}
		})
	}
}

func TestAKeyDoesNotDependOnThePlace(t *testing.T) {
	if one, other := keyOf(t, newTable(t), "hello"), keyOf(t, newTable(t), "hello"); one != other {
		t.Errorf("%s and %s", one, other)
	}
}
