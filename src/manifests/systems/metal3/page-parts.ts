import { METAL3_CLUSTER, METAL3_MACHINE_TEMPLATE } from './metal3-kinds';
import {
  call, constant, FieldReader, fieldsOf, instance, listAt, listOf, PageFields, PageParts, PartOf, TEMPLATE_FIELDS,
} from '../../rules/contract';

/** Reads a cluster. */
const infrastructure: PartOf = (object) => instance('metal3.Metal3Infrastructure', {
  cloudProviderEnabled: new FieldReader(object, ['spec']).unless(false, 'cloudProviderEnabled'),
  failureDomains: listOf(listAt(object, 'spec', 'failureDomains') as readonly PageFields[]),
});

/** Reads a machine template; undefined without an image and a deploy method. The templates of its data and of its remediation stay as they are. */
const machine: PartOf = (object) => {
  const fields = new FieldReader(object, TEMPLATE_FIELDS);
  const [url, customDeployMethod] = [fields.text('image', 'url'), fields.text('customDeploy', 'method')];
  if (url === undefined && customDeployMethod === undefined) return undefined;
  const dataTemplate = fields.text('dataTemplate', 'name');
  return instance('metal3.Metal3Machine', {
    image: url === undefined ? undefined : {
      url,
      checksum: fields.text('image', 'checksum'),
      checksumType: fields.text('image', 'checksumType'),
      // v1beta1 has it as "format".
      diskFormat: fields.text('image', 'diskFormat') ?? fields.text('image', 'format'),
    },
    customDeployMethod,
    hostSelector: fieldsOf(fields.value('hostSelector', 'matchLabels')),
    hostRequirements: listOf(fields.each('hostSelector', 'matchExpressions').map((requirement): PageFields => ({
      key: requirement.text('key'), operator: requirement.text('operator'), values: requirement.texts('values'),
    }))),
    nodesNamedAfter: dataTemplate === undefined ? constant('metal3.Metal3Object.HOST') : undefined,
    dataTemplate,
    automatedCleaning: fields.text('automatedCleaningMode') === 'disabled' ? false : undefined,
    nodeReuse: new FieldReader(object, ['spec']).unless(false, 'nodeReuse'),
    remediation: call('metal3.Metal3Remediation.none'),
  });
};

/** The classes of pages that make Metal3's objects. */
export const PAGE_PARTS: PageParts = {
  infrastructures: { [METAL3_CLUSTER]: infrastructure },
  machines: { [METAL3_MACHINE_TEMPLATE]: machine },
};
