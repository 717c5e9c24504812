// Package manifest reads Kubernetes objects from YAML files.
package manifest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Document is one YAML document.
type Document struct {
	// Raw is the text as it is in the file: what an API server has to read.
	Raw []byte
	// Object is the same, decoded.
	Object *unstructured.Unstructured
}

// Files returns the YAML files among paths and below the directories among them, in lexical order per path.
func Files(paths []string) ([]string, error) {
	var files []string
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			if ext := filepath.Ext(path); path == root || ext == ".yaml" || ext == ".yml" {
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("look for manifests: %w", err)
		}
	}
	return files, nil
}

// ReadFile returns the documents of a file that are not empty.
func ReadFile(path string) ([]Document, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read manifests: %w", err)
	}
	documents, err := Parse(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return documents, nil
}

// Parse returns the documents of a text that are not empty.
func Parse(text []byte) ([]Document, error) {
	var documents []Document
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for i := 1; ; i++ {
		raw, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", i, err)
		}
		document, err := parse(raw)
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", i, err)
		}
		if document.Object != nil {
			documents = append(documents, document)
		}
	}
}

// parse decodes a document. Object is nil if the document has nothing but comments.
func parse(raw []byte) (Document, error) {
	// Through JSON, so that numbers get the types the API machinery uses.
	data, err := yaml.YAMLToJSON(raw)
	if err != nil {
		return Document{}, err
	}
	if string(data) == "null" {
		return Document{}, nil
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(data); err != nil {
		return Document{}, err
	}
	return Document{Raw: raw, Object: object}, nil
}
