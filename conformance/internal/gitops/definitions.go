package gitops

import (
	"fmt"
	"path/filepath"

	"k8s.io/apimachinery/pkg/api/equality"

	"conformance/internal/live"
	"conformance/internal/manifest"
)

// Definitions returns the definitions that the controllers bring and that are not among the known ones: they watch more kinds than
// pages use. upstream has the sources of each controller. Known definitions must be of the same release.
func Definitions(known []*live.Object, upstream string) ([]*live.Object, error) {
	byName := map[string]*live.Object{}
	for _, definition := range known {
		byName[definition.GetName()] = definition
	}
	var found []*live.Object
	for _, controller := range ControllerNames {
		files, err := manifest.Files([]string{filepath.Join(upstream, controller, "config", "crd", "bases")})
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			documents, err := manifest.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for _, document := range documents {
				same := byName[document.Object.GetName()]
				if same == nil {
					found = append(found, document.Object)
				} else if !equality.Semantic.DeepEqual(same.Object["spec"], document.Object.Object["spec"]) {
					return nil, fmt.Errorf("definition %s: that of %s differs from the pinned one; pin both to one release", same.GetName(), controller)
				}
			}
		}
	}
	return found, nil
}
