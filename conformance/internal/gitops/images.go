package gitops

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Media types of a chart, and the header with its digest (helm/helm pkg/registry/constants.go, opencontainers/distribution-spec spec.md).
const (
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.cncf.helm.config.v1+json"
	layerType    = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
	digestHeader = "Docker-Content-Digest"
)

// tagList is the answer to who asks for the tags of an image.
type tagList struct {
	Name string   `json:"name"`
	Tags []string `json:"tags"`
}

// addImage adds a chart to a registry: the answers to reading requests, under the paths that its specification has for them.
func (c *Charts) addImage(r request, archive []byte) error {
	image := "/v2" + r.folder + "/" + r.name
	config, err := json.Marshal(r.metadata())
	if err != nil {
		return fmt.Errorf("encode the metadata of chart %s: %w", r.name, err)
	}
	blob := func(mediaType string, content []byte) map[string]any {
		added := file{r.name, mediaType, content}
		c.files[r.host+image+"/blobs/"+added.digest()] = added
		return map[string]any{"mediaType": mediaType, "digest": added.digest(), "size": len(content)}
	}
	content, err := json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": manifestType, "config": blob(configType, config), "layers": []any{blob(layerType, archive)},
	})
	if err != nil {
		return fmt.Errorf("encode the manifest of chart %s: %w", r.name, err)
	}
	manifest := file{r.name, manifestType, content}
	c.files[r.host+image+"/manifests/"+r.tag()] = manifest
	c.files[r.host+image+"/manifests/"+manifest.digest()] = manifest

	list := tagList{Name: r.name}
	if known, ok := c.files[r.host+image+"/tags/list"]; ok {
		if err := json.Unmarshal(known.content, &list); err != nil {
			return fmt.Errorf("read the tags of chart %s: %w", r.name, err)
		}
	}
	list.Tags = append(list.Tags, r.tag())
	slices.Sort(list.Tags)
	content, err = json.Marshal(list)
	if err != nil {
		return fmt.Errorf("encode the tags of chart %s: %w", r.name, err)
	}
	c.files[r.host+image+"/tags/list"] = file{"", "application/json", content}
	// By this answer clients know that they need not log in.
	c.files[r.host+"/v2/"] = file{"", "application/json", []byte("{}")}
	return nil
}
