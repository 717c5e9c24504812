// Package definitions finds and reads the custom resource definitions of the supported releases.
package definitions

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/cluster"
	"conformance/internal/manifest"
)

// Places are where definitions can be.
type Places struct {
	// Explicit is a directory somebody has named, or empty. No other place counts then.
	Explicit string
	// Shared is a directory that may have all definitions beside the project.
	Shared string
	// Further is a directory with definitions of further projects, of which those that Sources names count beside Shared.
	Further string
	// Cache is the directory of downloaded definitions, and Sources the file that says which of its files are current.
	Cache, Sources string
}

// Set is what was found.
type Set struct {
	// Definitions are the definitions, each name once.
	Definitions []*unstructured.Unstructured
	// Origin is the directory they are from.
	Origin string
	// Missing are the API groups of which the project knows definitions that are not there.
	Missing []string
}

// Find reads the definitions from the first place that has some.
func Find(places Places) (*Set, error) {
	if places.Explicit != "" {
		set, err := readDirectory(places.Explicit)
		if err == nil && len(set.Definitions) == 0 {
			err = fmt.Errorf("CRDS_DIR: no custom resource definition is in a YAML file of %s", places.Explicit)
		}
		return set, err
	}
	set, err := readDirectory(places.Shared)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil && len(set.Definitions) > 0 {
		if places.Further == "" {
			return set, nil
		}
		further, err := readNamed(places.Further, places.Sources, func(one source) string { return one.File })
		if err != nil {
			return nil, err
		}
		set.Definitions = append(set.Definitions, further.Definitions...)
		return set, nil
	}
	set, err = readCache(places.Cache, places.Sources)
	if err != nil {
		return nil, err
	}
	if len(set.Definitions) == 0 {
		return nil, fmt.Errorf("no custom resource definitions in %s or %s: set CRDS_DIR to a directory that has them as YAML files, "+
			"or run `npm test` once with network access, which downloads the pinned ones to the latter", places.Shared, places.Cache)
	}
	return set, nil
}

// readDirectory reads all YAML files of a directory.
func readDirectory(directory string) (*Set, error) {
	files, err := manifest.Files([]string{directory})
	if err != nil {
		return nil, err
	}
	definitions, err := read(files)
	return &Set{Definitions: definitions, Origin: directory}, err
}

// Replace adds the definitions in a directory of a provider's sources, with the labels of its release, in place of others of their names.
func (s *Set) Replace(directory string, labels map[string]string) error {
	own, err := readDirectory(directory)
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for _, definition := range own.Definitions {
		definition.SetLabels(labels)
		names[definition.GetName()] = true
	}
	isOwn := func(definition *unstructured.Unstructured) bool { return names[definition.GetName()] }
	s.Definitions = append(slices.DeleteFunc(s.Definitions, isOwn), own.Definitions...)
	return nil
}

// source is where the definitions of one release of a project come from.
type source struct {
	Project string `json:"project"`
	Version string `json:"version"`
	File    string `json:"file"`
	CRDs    []struct {
		Name string `json:"name"`
	} `json:"crds"`
}

// readCache reads the current files of a directory of downloads, which may have those of older releases, too.
func readCache(directory, sourcesFile string) (*Set, error) {
	return readNamed(directory, sourcesFile, func(one source) string {
		// The name that scripts/crds/download.ts gives the file.
		return strings.Replace(one.Project, "/", "-", 1) + "-" + one.Version + "-" + one.File
	})
}

// readNamed reads those files of a directory that sources have there.
func readNamed(directory, sourcesFile string, name func(source) string) (*Set, error) {
	content, err := os.ReadFile(sourcesFile)
	if err != nil {
		return nil, fmt.Errorf("read the sources of definitions: %w", err)
	}
	var sources []source
	if err := json.Unmarshal(content, &sources); err != nil {
		return nil, fmt.Errorf("%s: %w", sourcesFile, err)
	}
	var files []string
	for _, source := range sources {
		file := filepath.Join(directory, name(source))
		_, err := os.Stat(file)
		if err == nil {
			files = append(files, file)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("look for definitions: %w", err)
		}
	}
	definitions, err := read(files)
	return &Set{Definitions: definitions, Origin: directory, Missing: missingGroups(sources, definitions)}, err
}

// missingGroups returns the API groups of the sources that have a definition that was not found. A file that is there need not
// have all definitions that it should have: two sources can share one.
func missingGroups(sources []source, found []*unstructured.Unstructured) []string {
	names := map[string]bool{}
	for _, definition := range found {
		names[definition.GetName()] = true
	}
	missing := map[string]bool{}
	for _, source := range sources {
		for _, crd := range source.CRDs {
			if _, group, _ := strings.Cut(crd.Name, "."); !names[crd.Name] {
				missing[group] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(missing))
}

// read returns the definitions among the objects of files, the first one of each name.
func read(files []string) ([]*unstructured.Unstructured, error) {
	var definitions []*unstructured.Unstructured
	known := map[string]bool{}
	for _, file := range files {
		documents, err := manifest.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, document := range documents {
			if name := document.Object.GetName(); cluster.IsDefinition(document.Object) && !known[name] {
				known[name] = true
				definitions = append(definitions, document.Object)
			}
		}
	}
	return definitions, nil
}
