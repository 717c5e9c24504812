import { ManifestObject } from '../../objects/manifest-object';
import { call, constant, fieldsOf, instance, listOf, PageCall, PageFields } from '../../rules/page-expression';
import { PageParts } from '../../rules/page-parts';
import { fieldAt, listAt, objectsAt, stringAt } from '../../values/fields';

const GROUP = 'infrastructure.cluster.x-k8s.io';
const MACHINE = ['spec', 'template', 'spec'];

/** Reads a cluster. */
function infrastructure(object: ManifestObject): PageCall {
  const failureDomains = listAt(object, 'spec', 'failureDomains');
  return instance('metal3.Metal3Infrastructure', {
    cloudProviderEnabled: fieldAt(object, 'spec', 'cloudProviderEnabled') === true ? true : undefined,
    failureDomains: failureDomains.length === 0 ? undefined : failureDomains as readonly PageFields[],
  });
}

/** Reads a machine template; undefined without an image and a deploy method. The templates of its data and of its remediation stay as they are. */
function machine(object: ManifestObject): PageCall | undefined {
  const text = (...path: readonly string[]) => stringAt(object, ...MACHINE, ...path);
  const url = text('image', 'url');
  const customDeployMethod = text('customDeploy', 'method');
  if (url === undefined && customDeployMethod === undefined) return undefined;
  const [checksum, checksumType] = ['checksum', 'checksumType'].map((field) => text('image', field));
  // v1beta1 has it as "format".
  const diskFormat = text('image', 'diskFormat') ?? text('image', 'format');
  const dataTemplate = text('dataTemplate', 'name');
  return instance('metal3.Metal3Machine', {
    image: url === undefined ? undefined : { url, checksum: checksum === '' ? undefined : checksum, checksumType, diskFormat },
    customDeployMethod,
    hostSelector: fieldsOf(fieldAt(object, ...MACHINE, 'hostSelector', 'matchLabels')),
    hostRequirements: listOf(objectsAt(object, ...MACHINE, 'hostSelector', 'matchExpressions').map(([requirement]): PageFields => ({
      key: stringAt(requirement, 'key'),
      operator: stringAt(requirement, 'operator'),
      values: listOf(listAt(requirement, 'values') as readonly string[]),
    }))),
    nodesNamedAfter: dataTemplate === undefined ? constant('metal3.Metal3Object.HOST') : undefined,
    dataTemplate,
    automatedCleaning: text('automatedCleaningMode') === 'disabled' ? false : undefined,
    nodeReuse: fieldAt(object, 'spec', 'nodeReuse') === true ? true : undefined,
    remediation: call('metal3.Metal3Remediation.none'),
  });
}

/** The classes of pages that make Metal3's objects. */
export const PAGE_PARTS: PageParts = {
  infrastructures: { [`${GROUP}/Metal3Cluster`]: infrastructure },
  machines: { [`${GROUP}/Metal3MachineTemplate`]: machine },
};
