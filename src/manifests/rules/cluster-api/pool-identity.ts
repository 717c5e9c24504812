import { CORE_WEBHOOKS, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from './cluster-api-kinds';
import { poolYaml } from './example-manifests';
import { checkDnsSubdomain } from '../../values/dns';
import { stringAt } from '../../values/fields';
import { checkLabelValue, LABEL_MAX_LENGTH } from '../../values/labels';
import { ManifestRule } from '../manifest-rule';
import { nameFix } from '../name-fix';

const LONG_NAME = `acme-${'general-'.repeat(8)}pool`;

/** The name, which is a label of the machines. */
const NAME: ManifestRule = {
  id: 'TC-ADMIT-POOL-NAME',
  title: 'The name of a MachineDeployment must be a label value: at most 63 characters.',
  source: `${CORE_WEBHOOKS}/machinedeployment.go`,
  kinds: [MACHINE_DEPLOYMENT],
  example: { failing: poolYaml({ name: LONG_NAME }), corrected: poolYaml({}) },
  check: (object) => {
    const name = stringAt(object, 'metadata', 'name') ?? '';
    const message = checkLabelValue(name);
    // A name that no object may have is reported as such.
    return message === undefined || checkDnsSubdomain(name) !== undefined ? [] : [{
      path: ['metadata', 'name'], message, fix: `${nameFix(name, checkLabelValue, LABEL_MAX_LENGTH)}; the names of its machines have 12 characters more`,
    }];
  },
};

/** The cluster, which is named twice. */
const CLUSTER_NAME: ManifestRule = {
  id: 'TC-ADMIT-POOL-CLUSTER',
  title: 'A pool and its machine template must belong to the same cluster.',
  source: `${CORE_WEBHOOKS}/{machinedeployment,machineset,machinepool}.go`,
  kinds: [MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET],
  example: { failing: poolYaml({}).replace('clusterName: acme', 'clusterName: acme-2'), corrected: poolYaml({}) },
  check: (object) => {
    const own = stringAt(object, 'spec', 'clusterName');
    const template = stringAt(object, 'spec', 'template', 'spec', 'clusterName');
    // A missing one is reported as such.
    if (own === undefined || template === undefined || own === template) return [];
    return [{
      path: ['spec', 'template', 'spec', 'clusterName'],
      message: `the machines are to belong to ${JSON.stringify(template)}, and the pool belongs to ${JSON.stringify(own)}`,
      fix: 'name the same cluster in spec.clusterName and spec.template.spec.clusterName',
    }];
  },
};

export const POOL_IDENTITY: readonly ManifestRule[] = [NAME, CLUSTER_NAME];
