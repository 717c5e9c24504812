import { BootstrapFormat } from './bootstrap-format';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { Problem, problemIf, Rule } from '../../../../manifests/values/problem';
import { PoolContext } from '../../../contracts/node-pool/pool-context';

/** Files that Cluster API writes for Ignition. */
export const OF_IGNITION: readonly string[] = ['/etc/kubeadm.sh', '/etc/kubeadm.yml'];

const WRITER = 'kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/ignition/clc/clc.go';

export const IGNITION_RULE: Rule = {
  id: 'TC-KUBEADM-IGNITION',
  title: 'With Ignition, options must be ones that Cluster API writes for it, without templates of instance data, which only cloud-init renders.',
  source: WRITER,
};

/** Names of cloud-init's instance data in templates. */
const INSTANCE_DATA = /\{\{[^{}]*\b(?:ds|v1|v2|local_hostname|instance_id)\b[^{}]*\}\}/;

/** True if machines are set up by Ignition. */
export function isIgnition({ format }: KubeadmBootstrapProps): boolean {
  return format === BootstrapFormat.IGNITION;
}

/** True if a text needs cloud-init. */
export function hasInstanceData(text: string): boolean {
  return INSTANCE_DATA.test(text);
}

/**
 * Checks options that Cluster API leaves out, or writes wrongly, for Ignition, and that an image with Ignition has no place for. What its webhook
 * refuses is a matter of rules over manifests (`TC-ADMIT-KUBEADM-IGNITION-FIELD`).
 */
export function checkIgnition(props: KubeadmBootstrapProps, { nodeSetup = {} }: PoolContext, owner: string): Problem[] {
  if (!isIgnition(props)) return [];
  const { files = [], diskSetup: { partitions = [], filesystems = [] } = {}, mounts = [] } = props;
  const refused = (property: string, isRefused: boolean, message: string, fix: string): Problem[] => (
    problemIf(IGNITION_RULE, `${owner}.${property}`, isRefused ? message : undefined, fix));
  const ofMachines = nodeSetup.address !== undefined ? 'the address of a node' : (nodeSetup.nodeName && nodeSetup.nodeName.path !== 'v1.local_hostname' ? 'the name of a node' : undefined);
  return [
    ...refused('nodeName', props.nodeName !== undefined, 'names of nodes come from instance data, which only cloud-init has', 'leave it out: the node has the host name of its machine'),
    ...refused('format', ofMachines !== undefined, `the infrastructure takes ${ofMachines} from instance data, which only cloud-init has`, 'use an image with cloud-init'),
    ...refused('trustedCas', (props.trustedCas ?? []).length > 0, 'they are installed below /usr, which images with Ignition do not let change', 'put them into the image'),
    ...refused('registryMirrors', (props.registryMirrors ?? []).length > 0, 'the configuration of containerd is in another place on images with Ignition', 'write the files of containerd with files'),
    ...files.flatMap(({ append }, index) => refused(`files[${index}].append`, append === true, 'Cluster API writes the whole file', 'give the whole content')),
    ...partitions.flatMap(({ shares = [] }, index) => refused(`diskSetup.partitions[${index}].shares`, shares.length > 0, 'Cluster API makes one partition or none', 'use layout: true')),
    ...filesystems.flatMap(({ label }, index) => refused(`diskSetup.filesystems[${index}].label`, !label, 'Cluster API names the file system by its label', 'give it a label')),
    ...mounts.flatMap(({ device, filesystem }, index) => [
      ...refused(`mounts[${index}].device`, !filesystems.some(({ label }) => label === device), `Cluster API finds the device of a mount by the label of a file system, and "${device}" is none`,
        'write the label of an entry of diskSetup.filesystems'),
      ...refused(`mounts[${index}].filesystem`, filesystem !== undefined, 'Cluster API writes it among the mount options', 'leave it out'),
    ]),
  ];
}
