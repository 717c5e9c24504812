package definitions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	sourcesJSON = `[
		{"project": "a/b", "version": "v2", "file": "b.yaml", "crds": [{"name": "things.b.example"}]},
		{"project": "a/b", "version": "v2", "file": "b.yaml", "crds": [{"name": "unpublished.d.example"}]},
		{"project": "a/c", "version": "v1", "file": "c.yaml", "crds": [{"name": "others.c.example"}]}
	]`
	definitionYAML = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: NAME}\n"
	operatorYAML   = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: operator}\n"
)

// definition returns the text of a definition without a spec, which nothing here looks at.
func definition(name string) string { return strings.ReplaceAll(definitionYAML, "NAME", name) }

// write creates a file below root and the directories above it.
func write(t *testing.T, root, path, content string) {
	t.Helper()
	path = filepath.Join(root, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFind(t *testing.T) {
	explicit, shared := definition("explicit.b.example"), definition("shared.b.example")
	cached := definition("things.b.example") + "---\n" + operatorYAML + "---\n" + definition("things.b.example")
	tests := []struct {
		name     string
		files    map[string]string
		explicit string
		want     []string
		missing  []string
		failure  string
	}{
		{
			name:     "a named directory counts alone",
			files:    map[string]string{"explicit/a.yaml": explicit, "shared/a.yaml": shared},
			explicit: "explicit", want: []string{"explicit.b.example"},
		},
		{
			name:     "a named directory without definitions is an error",
			files:    map[string]string{"explicit/a.yaml": operatorYAML, "shared/a.yaml": shared},
			explicit: "explicit", failure: "CRDS_DIR",
		},
		{
			name:  "the directory beside the project comes before the cache",
			files: map[string]string{"shared/a.yaml": shared, "cache/a-b-v2-b.yaml": cached},
			want:  []string{"shared.b.example"},
		},
		{
			name:  "of the cache, only current files, only definitions and each once",
			files: map[string]string{"cache/a-b-v2-b.yaml": cached, "cache/a-b-v1-b.yaml": definition("old.b.example")},
			want:  []string{"things.b.example"}, missing: []string{"c.example", "d.example"},
		},
		{
			name:    "nothing anywhere",
			failure: "npm test",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "sources.json", sourcesJSON)
			for path, content := range test.files {
				write(t, root, path, content)
			}
			places := Places{
				Shared:  filepath.Join(root, "shared"),
				Cache:   filepath.Join(root, "cache"),
				Sources: filepath.Join(root, "sources.json"),
			}
			if test.explicit != "" {
				places.Explicit = filepath.Join(root, test.explicit)
			}
			set, err := Find(places)
			if test.failure != "" {
				if err == nil || !strings.Contains(err.Error(), test.failure) {
					t.Fatalf("got error %v, want one with %q", err, test.failure)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, found := range set.Definitions {
				names = append(names, found.GetName())
			}
			if !slices.Equal(names, test.want) || !slices.Equal(set.Missing, test.missing) {
				t.Errorf("got %q without %q, want %q without %q", names, set.Missing, test.want, test.missing)
			}
		})
	}
}
