package live

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
)

// Watched are the objects of some kinds, as a watch reports them: many looks at them ask the server nothing.
type Watched struct {
	listers map[schema.GroupKind]cache.GenericLister
}

// Watch follows all objects of some kinds until the context ends.
func (c *Client) Watch(ctx context.Context, kinds ...schema.GroupKind) (*Watched, error) {
	factory := dynamicinformer.NewDynamicSharedInformerFactory(c.dynamic, 0)
	watched := &Watched{listers: map[schema.GroupKind]cache.GenericLister{}}
	for _, kind := range kinds {
		mapping, err := c.mapper.RESTMapping(kind)
		if err != nil {
			return nil, fmt.Errorf("find kind %s: %w", kind, err)
		}
		watched.listers[kind] = factory.ForResource(mapping.Resource).Lister()
	}
	factory.Start(ctx.Done())
	for resource, synced := range factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return nil, fmt.Errorf("watch %s: %w", resource.Resource, context.Cause(ctx))
		}
	}
	return watched, nil
}

// List returns the objects of a kind in a namespace. They must not be changed.
func (w *Watched) List(kind schema.GroupKind, namespace string) ([]*Object, error) {
	found, err := w.listers[kind].ByNamespace(namespace).List(labels.Everything())
	return objectsOf(kind, found, err)
}

// ListAll returns the objects of a kind in all namespaces. They must not be changed.
func (w *Watched) ListAll(kind schema.GroupKind) ([]*Object, error) {
	found, err := w.listers[kind].List(labels.Everything())
	return objectsOf(kind, found, err)
}

func objectsOf(kind schema.GroupKind, found []runtime.Object, err error) ([]*Object, error) {
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", kind, err)
	}
	objects := make([]*Object, 0, len(found))
	for _, object := range found {
		objects = append(objects, object.(*Object))
	}
	return objects, nil
}
