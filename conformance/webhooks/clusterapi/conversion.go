package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apimachineryversion "k8s.io/apimachinery/pkg/version"
	clusterv1beta1 "sigs.k8s.io/cluster-api/api/core/v1beta1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	controlplaneconversion "sigs.k8s.io/cluster-api/controlplane/kubeadm/webhooks/conversion"
	coreconversion "sigs.k8s.io/cluster-api/core/webhooks/conversion"
	"sigs.k8s.io/cluster-api/util/contract"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// contracts are the contracts of providers that this release works with, the newest first.
var contracts = []schema.GroupVersion{clusterv1.GroupVersion, clusterv1beta1.GroupVersion}

// setUpConversion tells the conversion of old versions in which version it finds the objects that others refer to.
func setUpConversion(reader client.Reader) {
	getter := func(ctx context.Context, kind schema.GroupKind) (string, error) {
		return servedVersion(ctx, reader, kind)
	}
	coreconversion.SetAPIVersionGetter(getter)
	controlplaneconversion.SetAPIVersionGetter(getter)
}

// servedVersion reads the version for the newest contract from the labels of a kind's definition.
func servedVersion(ctx context.Context, reader client.Reader, kind schema.GroupKind) (string, error) {
	definition := &metav1.PartialObjectMetadata{}
	definition.SetGroupVersionKind(apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"))
	if err := reader.Get(ctx, client.ObjectKey{Name: contract.CalculateCRDName(kind.Group, kind.Kind)}, definition); err != nil {
		return "", fmt.Errorf("read the definition of %s: %w", kind, err)
	}
	for _, label := range contracts {
		if versions := definition.GetLabels()[label.String()]; versions != "" {
			newest := slices.MaxFunc(strings.Split(versions, "_"), apimachineryversion.CompareKubeAwareVersionStrings)
			return schema.GroupVersion{Group: kind.Group, Version: newest}.String(), nil
		}
	}
	return "", fmt.Errorf("the definition of %s has no label of a contract that this release works with", kind)
}
