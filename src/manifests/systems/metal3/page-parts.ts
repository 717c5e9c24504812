import { METAL3_API_VERSION, METAL3_CLUSTER_KIND } from './metal3-kinds';
import { call, constant, fieldAt, isSet, ObjectForm, TEMPLATE_FIELDS } from '../../rules/contract';

/** The infrastructure. */
export const CLUSTER: ObjectForm = {
  apiVersion: METAL3_API_VERSION,
  kind: METAL3_CLUSTER_KIND,
  className: 'metal3.Metal3Infrastructure',
  properties: {
    cloudProviderEnabled: { field: 'cloudProviderEnabled', usual: false },
    failureDomains: {
      field: 'failureDomains',
      each: { required: ['name'], properties: { name: 'name', controlPlane: { field: 'controlPlane', usual: true }, attributes: 'attributes' } },
    },
  },
};

/** Hosts, and the template that takes them. The templates of its data and of its remediation stay as they are. */
export const MACHINE: ObjectForm = {
  apiVersion: METAL3_API_VERSION,
  kind: 'Metal3MachineTemplate',
  className: 'metal3.Metal3Machine',
  properties: {
    image: {
      field: 'image',
      of: {
        required: ['url'],
        properties: {
          url: 'url',
          checksum: 'checksum',
          checksumType: 'checksumType',
          // v1beta1 has it as "format".
          diskFormat: { field: 'diskFormat', read: (_, image) => image.text('diskFormat') ?? image.text('format') },
        },
      },
    },
    customDeployMethod: 'customDeploy.method',
    hostSelector: 'hostSelector.matchLabels',
    hostRequirements: {
      field: 'hostSelector.matchExpressions',
      each: { required: ['key', 'operator'], properties: { key: 'key', operator: 'operator', values: { field: 'values', usual: [] } } },
    },
    dataTemplate: 'dataTemplate.name',
    automatedCleaning: { field: 'automatedCleaningMode', read: (mode) => (mode === 'disabled' ? false : undefined) },
  },
  beside: (object) => ({
    nodesNamedAfter: isSet(object, ...TEMPLATE_FIELDS, 'dataTemplate', 'name') ? undefined : constant('metal3.Metal3Object.HOST'),
    nodeReuse: fieldAt(object, 'spec', 'nodeReuse') === true ? true : undefined,
    remediation: call('metal3.Metal3Remediation.none'),
  }),
};
