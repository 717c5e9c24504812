import { checkNtp } from './bootstrap-ntp';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { checkHttpProxy } from './node-http-proxy';
import { checkRegistryMirrors } from './registry-mirror';
import { checkTrustedCas } from './trusted-ca';
import { Problem } from '../../../../manifests/values/problem';
import { CompanyNetwork } from '../../../contracts/company-network/company-network';

/** The options of machines that the network of a company may set. */
type MachineSettings = Pick<KubeadmBootstrapProps, 'httpProxy' | 'trustedCas' | 'registryMirrors' | 'ntp'>;

/** The property that a network is given in. */
const PROPERTY = 'companyNetwork';

/** Checks the network of a company. */
export function checkCompanyNetwork(network: CompanyNetwork): Problem[] {
  return [...network._check(PROPERTY), ...checkMachineSettings(network, PROPERTY)];
}

/**
 * The options of machines in the network of a company: an own option replaces the one of the network.
 *
 * @param props the user's options
 * @param network the network
 */
export function inCompanyNetwork(props: KubeadmBootstrapProps, network: CompanyNetwork | undefined): KubeadmBootstrapProps {
  // Malformed settings are reported once, by the cluster, and not by each of its pools.
  if (!network?._setsUpMachines || checkMachineSettings(network, PROPERTY).length > 0) return props;
  const { httpProxy, trustedCas, registryMirrors, ntp } = network;
  const given = Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as KubeadmBootstrapProps;
  return { httpProxy, trustedCas, registryMirrors, ntp, ...given };
}

/**
 * Checks proxy, certificate authorities, mirrors and time servers.
 *
 * @param settings the settings
 * @param property the property that holds them
 */
export function checkMachineSettings({ httpProxy, trustedCas = [], registryMirrors = [], ntp }: MachineSettings, property: string): Problem[] {
  return [
    ...(httpProxy ? checkHttpProxy(httpProxy, `${property}.httpProxy`) : []),
    ...checkTrustedCas(trustedCas, `${property}.trustedCas`),
    ...checkRegistryMirrors(registryMirrors, `${property}.registryMirrors`),
    ...(ntp ? checkNtp(ntp, `${property}.ntp`) : []),
  ];
}
