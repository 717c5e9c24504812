import { Yaml } from 'cdk8s';
import { isIgnition } from './ignition-checks';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { PoolContext } from '../../../contracts/node-pool/pool-context';
import { IgnitionSetup } from '../../../contracts/node-setup';

const KUBEADM_CONFIG = '/etc/kubeadm.yml';

/** Returns the machines with the setup that their format has: with Ignition, its own parts take the place of those with instance data. */
export function inFormat(props: KubeadmBootstrapProps, context: PoolContext): PoolContext {
  const { ignition, ...setup } = context.nodeSetup ?? {};
  if (!isIgnition(props) || !ignition) return context;
  return {
    ...context,
    nodeSetup: {
      ...setup,
      ignition,
      kubeletArguments: { ...setup.kubeletArguments, ...ignition.kubeletArguments },
      nodeName: ignition.nodeName === undefined ? setup.nodeName : undefined,
      preKubeadmCommands: [...ignition.preKubeadmCommands ?? setup.preKubeadmCommands ?? [], ...substitution(ignition)],
    },
  };
}

/**
 * Commands that replace the variables in kubeadm's configuration, and no others: a dollar sign of the user stays. The configuration has a token, so
 * that only root may read it.
 */
function substitution({ kubeletArguments = {}, nodeName = '' }: IgnitionSetup): string[] {
  const variables = [...new Set([nodeName, ...Object.values(kubeletArguments)].flatMap((text) => text.match(/\$\{\w+\}/g) ?? []))].sort();
  if (variables.length === 0) return [];
  return [
    `: ${variables.map((variable) => `"${variable.replace('}', ':?}')}"`).join(' ')}`,
    `(umask 077 && envsubst '${variables.join(' ')}' < ${KUBEADM_CONFIG} > ${KUBEADM_CONFIG}.tmp)`,
    `mv ${KUBEADM_CONFIG}.tmp ${KUBEADM_CONFIG}`,
  ];
}

/** Container Linux Config with the units of the machines; undefined if they need none. */
export function additionalConfig({ environmentFile, requiredUnits = [], enabledUnits = [] }: IgnitionSetup): string | undefined {
  const hasDropIn = environmentFile !== undefined || requiredUnits.length > 0;
  const units = [
    ...enabledUnits.map((name) => ({ name, enabled: true })),
    ...(hasDropIn ? [{ name: 'kubeadm.service', enabled: true, dropins: [{ name: '10-cdk8s-cluster-api.conf', contents: dropIn(requiredUnits, environmentFile) }] }] : []),
  ];
  return units.length === 0 ? undefined : Yaml.stringify({ systemd: { units } });
}

function dropIn(requiredUnits: readonly string[], environmentFile: string | undefined): string {
  const wanted = ['network-online.target', 'containerd.service'];
  return [
    '[Unit]',
    `Wants=${wanted.join(' ')}`,
    ...(requiredUnits.length > 0 ? [`Requires=${requiredUnits.join(' ')}`] : []),
    `After=${[...wanted, ...requiredUnits].join(' ')}`,
    ...(environmentFile === undefined ? [] : ['[Service]', `EnvironmentFile=${environmentFile}`]),
    '',
  ].join('\n');
}
