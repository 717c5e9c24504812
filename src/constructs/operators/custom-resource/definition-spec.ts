import { CrdConversion } from './crd-conversion';
import { CustomResourceScope, CustomResourceTypeProps } from './custom-resource-type-props';
import { CustomResourceVersion, hasStatusSubresource, isStorage } from './custom-resource-version';
import { namesOf } from './definition-names';
import { PrinterColumn } from './printer-column';

/** The spec of a CustomResourceDefinition, with what the API server would add by default. */
export function definitionSpec(props: CustomResourceTypeProps): object {
  const { group, scope = CustomResourceScope.NAMESPACED, conversion = CrdConversion.none(), versions } = props;
  return { group, names: namesOf(props), scope, conversion: conversion._spec, versions: versions.map((version) => versionSpec(version, versions)) };
}

function versionSpec(version: CustomResourceVersion, versions: readonly CustomResourceVersion[]): object {
  const { name, served = true, deprecated, deprecationWarning, schema, printerColumns, selectableFields } = version;
  const subresources = subresourcesOf(version);
  return {
    name,
    served,
    storage: isStorage(version, versions),
    ...(deprecated && { deprecated }),
    ...(deprecationWarning !== undefined && { deprecationWarning }),
    schema: { openAPIV3Schema: schema._json },
    ...(Object.keys(subresources).length > 0 && { subresources }),
    ...(printerColumns?.length && { additionalPrinterColumns: printerColumns.map(columnSpec) }),
    ...(selectableFields?.length && { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
  };
}

function subresourcesOf(version: CustomResourceVersion): object {
  const { scaleSubresource: scale } = version;
  return {
    ...(hasStatusSubresource(version) && { status: {} }),
    ...(scale && {
      scale: {
        specReplicasPath: scale.specReplicasPath,
        statusReplicasPath: scale.statusReplicasPath,
        ...(scale.labelSelectorPath !== undefined && { labelSelectorPath: scale.labelSelectorPath }),
      },
    }),
  };
}

function columnSpec({ name, type, jsonPath, description, format, priority }: PrinterColumn): object {
  return {
    name,
    type,
    jsonPath,
    ...(description !== undefined && { description }),
    ...(format !== undefined && { format }),
    // The API server leaves out 0.
    ...(priority && { priority }),
  };
}
